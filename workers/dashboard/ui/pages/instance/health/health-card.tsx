import { type HealthState, healthState } from "#domain/tenants/health-state.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
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
  const isOwner = useViewer().tenant !== null;
  const now = useNow(TICK_MS);
  const seconds = useStateSeconds(results?.flags, read.data?.history ?? [], now);
  const { status } = instance;
  if (status === "frozen" || status === "stopped") {
    return (
      <Card title="Health">
        <p className="text-quiet">
          The agent is {status}. It accepts no traffic, and is not probed.
          {status === "frozen" ? " Its data is kept. Resume it to start it again." : null}
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
  const list = <ProbeList results={results} sleeps={sleeps} />;
  return (
    <Card title="Health" actions={<SourceLine source={source} at={results?.at} />}>
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {sleeps ? <Badge tone="info">Asleep</Badge> : <StateName state={state} />}
          <span className="text-soft">
            {sleeps ? "The agent sleeps. The next message or visit wakes it." : (unavailable ?? meaningOf(state))}
          </span>
        </p>
        {isOwner ? (
          <details className="text-[0.8125rem]">
            <summary className="w-fit cursor-pointer text-quiet hover:text-text">Show checks</summary>
            <div className="mt-2">{list}</div>
          </details>
        ) : (
          list
        )}
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
              Last report <Ago at={heartbeat.at} long />.
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
        {live ? "Live from the agent" : "Updates every 15 s"}
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
  "Cold start": ["quiet", "Nothing is running: the agent sleeps or has just begun to start."],
  Starting: ["busy", "The agent is running but has not finished starting."],
  "Starting (backup)": ["busy", "The agent is ready, but the restore of its backup is not confirmed yet."],
  Ready: ["good", "Normal operation. The agent responds to messages."],
  Degraded: ["busy", "The agent is restarting. Messages wait."],
  Dead: ["bad", "The agent stopped and was not restarted. Restart it, or check its log."],
  Stuck: ["bad", "The agent is running but does not finish starting. Check its log, then restart it."],
};
const UNNAMED = ["bad", "The agent responds but is not healthy. Check its log, then restart it."] as const;
const UNKNOWN = ["quiet", "No probe result is available."] as const;

/** @param state undefined for an unnamed combination of probes; null if unknown */
const meaningOf = (state: HealthState | undefined | null): string =>
  (state === null ? UNKNOWN : state === undefined ? UNNAMED : STATES[state])[1];

function StateName({ state }: { state: HealthState | undefined | null }) {
  if (state === null) return <Badge tone={UNKNOWN[0]}>Unknown</Badge>;
  return <Badge tone={(state === undefined ? UNNAMED : STATES[state])[0]}>{state ?? "Unhealthy"}</Badge>;
}
