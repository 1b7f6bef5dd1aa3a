import type { HealthState } from "#domain/tenants/health-state.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

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
export const meaningOf = (state: HealthState | undefined | null): string =>
  (state === null ? UNKNOWN : state === undefined ? UNNAMED : STATES[state])[1];

export function StateName({ state }: { state: HealthState | undefined | null }) {
  if (state === null) return <Badge tone={UNKNOWN[0]}>Unknown</Badge>;
  return <Badge tone={(state === undefined ? UNNAMED : STATES[state])[0]}>{state ?? "Unhealthy"}</Badge>;
}
