/** The contract's name for how a tenant is, with what it means. */
import type { HealthState } from "#domain/tenants/health-state.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const STATES: Readonly<Record<HealthState, readonly [tone: Tone, meaning: string]>> = {
  "Cold start": ["quiet", "Nothing runs: its container sleeps, or has just booted."],
  Starting: ["busy", "The gateway runs, and its start is not over yet."],
  "Starting (backup)": ["busy", "The gateway is ready; that its backup is restored is not confirmed yet."],
  Ready: ["good", "Normal operation: it takes traffic."],
  Degraded: ["busy", "The gateway is being restarted: traffic waits."],
  Dead: ["bad", "The gateway has ended, and nobody has restarted it: restart it, or look into its log."],
  Stuck: ["bad", "The gateway runs and its start does not end: look into its log, then restart it."],
};
const UNNAMED = [
  "bad",
  "The gateway answers, and does not say that it is well: look into its log, then restart it.",
] as const;
const UNKNOWN = ["quiet", "Nobody could look just now."] as const;

/** @param state undefined for what the contract has no name for; null where nobody could look */
export const meaningOf = (state: HealthState | undefined | null): string =>
  (state === null ? UNKNOWN : state === undefined ? UNNAMED : STATES[state])[1];

/** @param props.state likewise */
export function StateName({ state }: { state: HealthState | undefined | null }) {
  if (state === null) return <Badge tone={UNKNOWN[0]}>Unknown</Badge>;
  return <Badge tone={(state === undefined ? UNNAMED : STATES[state])[0]}>{state ?? "Not well"}</Badge>;
}
