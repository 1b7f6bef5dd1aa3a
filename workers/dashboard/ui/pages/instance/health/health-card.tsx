import { healthState } from "#domain/tenants/health-state.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Failed, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { ProbeList } from "./probe-list.tsx";
import { useSeconds } from "./since.ts";
import { SourceLine } from "./source-line.tsx";
import { meaningOf, StateName } from "./state-name.tsx";
import type { Health } from "./use-health.ts";

const TICK_MS = 5_000;

/** How the gateway is now. */
export function HealthCard({ instance, health: { source, look, read } }: { instance: Instance; health: Health }) {
  const now = useNow(TICK_MS);
  const seconds = useSeconds(look?.flags, read.data?.history ?? [], now);
  const { status } = instance;
  if (status === "frozen" || status === "stopped") {
    return (
      <Card title="Health">
        <p className="text-quiet">
          The instance is {status}: it takes no traffic, and its gateway is not looked at.
          {status === "frozen" ? " Resume it to have it run again; its state is kept." : null}
        </p>
      </Card>
    );
  }
  if (look === undefined && read.data === undefined) {
    return (
      <Card title="Health">
        {read.error === null ? (
          <Loading lines={5} />
        ) : (
          <Failed error={read.error} onRetry={() => void read.refetch()} retrying={read.isFetching} />
        )}
      </Card>
    );
  }
  const state = look === undefined ? null : healthState(look.flags, seconds);
  const unseen = look === undefined ? read.data?.gateway.reason : null;
  const { sandbox, heartbeat } = read.data ?? {};
  return (
    <Card title="Health" actions={<SourceLine source={source} at={look?.at} />}>
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StateName state={state} />
          <span className="text-soft">{unseen ?? meaningOf(state)}</span>
        </p>
        <ProbeList look={look} />
        {sandbox?.warnings.map((warning) => (
          <Notice key={warning} tone="busy">
            {warning}
          </Notice>
        ))}
        <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
          {(["memory", "disk"] as const).map((resource) => {
            const use = sandbox?.[resource];
            return use ? (
              <Meter
                key={resource}
                label={resource === "memory" ? "Memory" : "Disk"}
                value={use.used_bytes}
                most={use.total_bytes}
                format={formatBytes}
              />
            ) : null;
          })}
        </div>
        <p className="text-xs text-quiet">
          {heartbeat?.at ? (
            <>
              Its container was last heard of <Ago at={heartbeat.at} long />.
            </>
          ) : (
            (heartbeat?.reason ?? "")
          )}
          {look?.hadBackup ? (look.restored ? " Its backup is restored." : " Its backup is not restored yet.") : null}
        </p>
      </div>
    </Card>
  );
}
