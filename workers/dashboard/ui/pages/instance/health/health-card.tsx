import { healthState } from "#domain/tenants/health-state.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Loading, QueryFault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { ProbeList } from "./probe-list.tsx";
import { SourceLine } from "./source-line.tsx";
import { useStateSeconds } from "./state-duration.ts";
import { meaningOf, StateName } from "./state-name.tsx";
import type { Health } from "./use-health.ts";

const TICK_MS = 5_000;

export function HealthCard({ instance, health: { source, results, read } }: { instance: Instance; health: Health }) {
  const now = useNow(TICK_MS);
  const seconds = useStateSeconds(results?.flags, read.data?.history ?? [], now);
  const { status } = instance;
  if (status === "frozen" || status === "stopped") {
    return (
      <Card title="Health">
        <p className="text-quiet">
          The instance is {status}. It accepts no traffic, and its gateway is not probed.
          {status === "frozen" ? " Its state is kept. Resume the instance to start it again." : null}
        </p>
      </Card>
    );
  }
  if (results === undefined && read.data === undefined) {
    return <Card title="Health">{read.error === null ? <Loading lines={5} /> : <QueryFault query={read} />}</Card>;
  }
  const state = results === undefined ? null : healthState(results.flags, seconds);
  const unavailable = results === undefined ? read.data?.gateway.reason : null;
  const { sandbox, heartbeat } = read.data ?? {};
  return (
    <Card title="Health" actions={<SourceLine source={source} at={results?.at} />}>
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StateName state={state} />
          <span className="text-soft">{unavailable ?? meaningOf(state)}</span>
        </p>
        <ProbeList results={results} />
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
                max={use.total_bytes}
                format={formatBytes}
              />
            ) : null;
          })}
        </div>
        <p className="text-xs text-quiet">
          {heartbeat?.at ? (
            <>
              Container last seen <Ago at={heartbeat.at} long />.
            </>
          ) : (
            (heartbeat?.reason ?? "")
          )}
          {results?.hadBackup ? (results.restored ? " Backup restored." : " Backup not restored yet.") : null}
        </p>
      </div>
    </Card>
  );
}
