/** What a look at an instance's health means (spec, health document: "Consumer interpretation" and the transitions by polling). */
import type { PolledStatus } from "#database/health/polled-instances.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";

/** How long a gateway may be without life before somebody should know, in milliseconds. */
export const DEAD_AFTER_MS = 5 * 60_000;

/** What was known of the instance before the look. */
export interface Before {
  status: PolledStatus;
  /** Since when it has not lived; null when it lived at the look before, or there was none. */
  notAliveSince: Date | null;
}

/** What a look told. `asleep`: nothing runs, as is right for a sandbox that nobody uses. */
export type Look =
  | { kind: "snapshot"; snapshot: Pick<HealthSnapshot, "startup" | "readiness" | "liveness" | "status"> }
  | { kind: "asleep" }
  | { kind: "unreachable"; reason: string };

export interface Consequence {
  /** The instance has come up. */
  becomesRunning: boolean;
  /** `dead`: for so long that an incident is due. `alive`: what was open closes. `waiting`: nothing changes yet. */
  life: "alive" | "dead" | "waiting";
}

/**
 * Neither a restart nor a death changes the instance's status: readiness that fails is waited for. One that does not run yet has no
 * incident either: its deadline, or its error, says it.
 */
export function consequenceOf(before: Before, look: Look, now: Date): Consequence {
  if (look.kind === "asleep") return { becomesRunning: false, life: "alive" };
  const alive = look.kind === "snapshot" && look.snapshot.liveness.ok;
  const ready = look.kind === "snapshot" && look.snapshot.startup.ok && look.snapshot.readiness.ok;
  const becomesRunning = before.status !== "running" && ready;
  if (alive) return { becomesRunning, life: "alive" };
  const since = before.notAliveSince?.getTime() ?? now.getTime();
  const isDead = before.status === "running" && now.getTime() - since >= DEAD_AFTER_MS;
  return { becomesRunning, life: isDead ? "dead" : "waiting" };
}
