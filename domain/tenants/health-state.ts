/** The state of a tenant by its three probes (spec: "Observable states are defined by the three flags"). */

/** In the contract's own words. */
export const healthStates = [
  "Cold start",
  "Starting",
  "Starting (backup)",
  "Ready",
  "Degraded",
  "Dead",
  "Stuck",
] as const;
export type HealthState = (typeof healthStates)[number];

/** Whether each probe succeeded. */
export interface ProbeFlags {
  startup: boolean;
  readiness: boolean;
  liveness: boolean;
}

/** From when on a gateway that lives and is not ready counts as stuck, in seconds: the contract has the same flags for both. */
export const STUCK_AFTER_SECONDS = 300;

const TABLE: ReadonlyMap<string, HealthState> = new Map([
  ["---", "Cold start"],
  ["--L", "Starting"],
  ["-RL", "Starting (backup)"],
  ["SRL", "Ready"],
  ["S-L", "Degraded"],
  ["S--", "Dead"],
]);

/**
 * @param seconds for how long the flags have been so, as far as that is known
 * @returns `undefined` for flags that the contract's table has not: a gateway that answers and does not say that it is well
 */
export function healthState({ startup, readiness, liveness }: ProbeFlags, seconds: number): HealthState | undefined {
  const state = TABLE.get(`${startup ? "S" : "-"}${readiness ? "R" : "-"}${liveness ? "L" : "-"}`);
  return state === "Starting" && seconds >= STUCK_AFTER_SECONDS ? "Stuck" : state;
}

/** Whether two looks show the same. */
export const sameFlags = (one: ProbeFlags, other: ProbeFlags): boolean =>
  one.startup === other.startup && one.readiness === other.readiness && one.liveness === other.liveness;
