import type { PolledStatus } from "#database/health/polled-instances.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";

/** Time without life after which an incident is opened. */
export const DEAD_AFTER_MS = 5 * 60_000;

export interface Before {
  status: PolledStatus;
  notAliveSince: Date | null;
}

/** Result of a health probe. `asleep`: an idle sandbox is stopped. */
export type Probe =
  | { kind: "snapshot"; snapshot: Pick<HealthSnapshot, "startup" | "readiness" | "liveness" | "status"> }
  | { kind: "asleep" }
  | { kind: "unreachable"; reason: string };

export interface Consequence {
  becomesRunning: boolean;
  /** `dead`: an incident is due. `alive`: an open incident closes. `waiting`: no change yet. */
  life: "alive" | "dead" | "waiting";
}

/** A restart does not change a running instance's status. An instance that does not run yet has no incident: its deadline covers it. */
export function consequenceOf(before: Before, probe: Probe, now: Date): Consequence {
  if (probe.kind === "asleep") return { becomesRunning: false, life: "alive" };
  const alive = probe.kind === "snapshot" && probe.snapshot.liveness.ok;
  const ready = probe.kind === "snapshot" && probe.snapshot.startup.ok && probe.snapshot.readiness.ok;
  const becomesRunning = before.status !== "running" && ready;
  if (alive) return { becomesRunning, life: "alive" };
  const since = before.notAliveSince?.getTime() ?? now.getTime();
  const isDead = before.status === "running" && now.getTime() - since >= DEAD_AFTER_MS;
  return { becomesRunning, life: isDead ? "dead" : "waiting" };
}
