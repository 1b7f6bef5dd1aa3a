/** States of a tenant (spec: "Observable states are defined by the three flags"). */
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

export interface ProbeFlags {
  startup: boolean;
  readiness: boolean;
  liveness: boolean;
}

/** Seconds after which a gateway that is alive but not ready counts as stuck; both states have the same flags. */
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
 * @param seconds since the last change of the flags, if known
 * @returns `undefined` for flags outside the table, such as those of a gateway that responds without being healthy
 */
export function healthState({ startup, readiness, liveness }: ProbeFlags, seconds: number): HealthState | undefined {
  const state = TABLE.get(`${startup ? "S" : "-"}${readiness ? "R" : "-"}${liveness ? "L" : "-"}`);
  return state === "Starting" && seconds >= STUCK_AFTER_SECONDS ? "Stuck" : state;
}

export const sameFlags = (one: ProbeFlags, other: ProbeFlags): boolean =>
  one.startup === other.startup && one.readiness === other.readiness && one.liveness === other.liveness;
