import { type HealthState, healthState } from "#domain/tenants/health-state.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Loading, QueryFault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { ProbeList } from "./probe-list.tsx";
import { useStateSeconds } from "./state-duration.ts";
import type { StreamState } from "./tenant-stream.ts";
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
  const sleeps = state === "Cold start" && read.data?.sandbox?.state === "asleep";
  const unavailable = results === undefined ? read.data?.gateway.reason : null;
  const { sandbox, heartbeat } = read.data ?? {};
  return (
    <Card title="Health" actions={<SourceLine source={source} at={results?.at} />}>
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {sleeps ? <Badge tone="info">Asleep</Badge> : <StateName state={state} />}
          <span className="text-soft">
            {sleeps ? "The container sleeps. The next request starts its gateway." : (unavailable ?? meaningOf(state))}
          </span>
        </p>
        <ProbeList results={results} sleeps={sleeps} />
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
          {results?.hadBackup && !results.restored ? " Its backup is not restored yet." : null}
        </p>
      </div>
    </Card>
  );
}

function SourceLine({ source, at }: { source: StreamState; at: string | undefined }) {
  const live = source === "live";
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
      <span role="status" className="flex items-center gap-1.5">
        <span aria-hidden="true" className={joinClasses("size-2 rounded-full", live ? "bg-good" : "bg-quiet")} />
        {live ? "Live from the tenant" : "Updates every 15 s"}
      </span>
      {at === undefined ? null : (
        <span>
          checked <Ago at={at} />
        </span>
      )}
    </p>
  );
}

const STATES: Readonly<Record<HealthState, readonly [tone: Tone, meaning: string]>> = {
  "Cold start": ["quiet", "Nothing is running: the container sleeps or has just booted."],
  Starting: ["busy", "The gateway is running but has not finished starting."],
  "Starting (backup)": ["busy", "The gateway is ready, but the restore of its backup is not confirmed yet."],
  Ready: ["good", "Normal operation. It accepts traffic."],
  Degraded: ["busy", "The gateway is restarting. Traffic waits."],
  Dead: ["bad", "The gateway stopped and was not restarted. Restart it, or check its log."],
  Stuck: ["bad", "The gateway is running but does not finish starting. Check its log, then restart it."],
};
const UNNAMED = ["bad", "The gateway responds but is not healthy. Check its log, then restart it."] as const;
const UNKNOWN = ["quiet", "No probe result is available."] as const;

/** @param state undefined for an unnamed combination of probes; null if unknown */
const meaningOf = (state: HealthState | undefined | null): string =>
  (state === null ? UNKNOWN : state === undefined ? UNNAMED : STATES[state])[1];

function StateName({ state }: { state: HealthState | undefined | null }) {
  if (state === null) return <Badge tone={UNKNOWN[0]}>Unknown</Badge>;
  return <Badge tone={(state === undefined ? UNNAMED : STATES[state])[0]}>{state ?? "Unhealthy"}</Badge>;
}
