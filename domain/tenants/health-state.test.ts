import { expect, test } from "vitest";
import { healthState, healthStates, type ProbeFlags, STUCK_AFTER_SECONDS, sameFlags } from "./health-state.ts";

const flags = (startup: boolean, readiness: boolean, liveness: boolean): ProbeFlags => ({
  startup,
  readiness,
  liveness,
});

/** The table of the contract's health document. */
const TABLE = [
  ["Cold start", false, false, false],
  ["Starting", false, false, true],
  ["Starting (backup)", false, true, true],
  ["Ready", true, true, true],
  ["Degraded", true, false, true],
  ["Dead", true, false, false],
] as const;

test.each(TABLE)("is %s for startup %s, readiness %s, liveness %s, for any time", (state, ...probes) => {
  expect(healthState(flags(...probes), 0)).toBe(state);
  if (state !== "Starting") expect(healthState(flags(...probes), 10 * STUCK_AFTER_SECONDS)).toBe(state);
});

test("is stuck when a start does not end, with the same flags", () => {
  expect(healthState(flags(false, false, true), STUCK_AFTER_SECONDS - 1)).toBe("Starting");
  expect(healthState(flags(false, false, true), STUCK_AFTER_SECONDS)).toBe("Stuck");
  expect(new Set<string>([...TABLE.map(([state]) => state), "Stuck"])).toEqual(new Set(healthStates));
});

test("has no name for flags outside the table", () => {
  expect(healthState(flags(false, true, false), 0)).toBeUndefined();
  expect(healthState(flags(true, true, false), 0)).toBeUndefined();
});

test("compares all three probes", () => {
  const one = flags(true, false, true);
  expect(sameFlags(one, { ...one })).toBe(true);
  for (const probe of ["startup", "readiness", "liveness"] as const) {
    expect(sameFlags(one, { ...one, [probe]: !one[probe] })).toBe(false);
  }
});
