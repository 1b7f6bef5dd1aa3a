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

test.each(TABLE)("%s is startup %s, readiness %s, liveness %s, however long", (state, ...probes) => {
  expect(healthState(flags(...probes), 0)).toBe(state);
  if (state !== "Starting") expect(healthState(flags(...probes), 10 * STUCK_AFTER_SECONDS)).toBe(state);
});

test("a start that does not end is stuck, which its flags alone do not tell", () => {
  expect(healthState(flags(false, false, true), STUCK_AFTER_SECONDS - 1)).toBe("Starting");
  expect(healthState(flags(false, false, true), STUCK_AFTER_SECONDS)).toBe("Stuck");
  expect(new Set<string>([...TABLE.map(([state]) => state), "Stuck"])).toEqual(new Set(healthStates));
});

test("what the table has not is given no name of it", () => {
  expect(healthState(flags(false, true, false), 0)).toBeUndefined();
  expect(healthState(flags(true, true, false), 0)).toBeUndefined();
});

test("looks are the same by all three probes", () => {
  const one = flags(true, false, true);
  expect(sameFlags(one, { ...one })).toBe(true);
  for (const probe of ["startup", "readiness", "liveness"] as const) {
    expect(sameFlags(one, { ...one, [probe]: !one[probe] })).toBe(false);
  }
});
