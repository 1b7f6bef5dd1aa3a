import { expect, test } from "vitest";
import { consequenceOf, DEAD_AFTER_MS, type Probe } from "./transitions.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const probe = (ok: boolean) => ({ ok, status: ok ? ("success" as const) : ("failure" as const), latencyMs: 1 });
const snapshot = (startup: boolean, readiness: boolean, liveness: boolean): Probe => ({
  kind: "snapshot",
  snapshot: {
    startup: probe(startup),
    readiness: probe(readiness),
    liveness: probe(liveness),
    status: readiness ? "running" : "starting",
  },
});
const unreachable: Probe = { kind: "unreachable", reason: "away" };

test("an instance becomes running only when startup and readiness succeed", () => {
  const before = { status: "provisioning", notAliveSince: null } as const;
  const runs = (probe: Probe) => consequenceOf(before, probe, NOW).becomesRunning;
  expect(runs(snapshot(true, true, true))).toBe(true);
  for (const [startup, readiness] of [
    [false, false],
    [false, true],
    [true, false],
  ] as const) {
    expect(runs(snapshot(startup, readiness, true))).toBe(false);
  }
  expect(runs(unreachable)).toBe(false);
  expect(runs({ kind: "asleep" })).toBe(false);
});

test("a running instance stays running during a restart", () => {
  const before = { status: "running", notAliveSince: null } as const;
  expect(consequenceOf(before, snapshot(true, false, true), NOW)).toEqual({ becomesRunning: false, life: "alive" });
  expect(consequenceOf(before, snapshot(true, true, true), NOW)).toEqual({ becomesRunning: false, life: "alive" });
});

test("a running instance is dead after five minutes without life, unless it sleeps", () => {
  const dead = snapshot(true, false, false);
  const life = (probe: Probe, since: Date | null, status: "running" | "provisioning" = "running") =>
    consequenceOf({ status, notAliveSince: since }, probe, NOW).life;
  expect(life(dead, null)).toBe("waiting");
  expect(life(dead, ago(DEAD_AFTER_MS - 1))).toBe("waiting");
  expect(life(dead, ago(DEAD_AFTER_MS))).toBe("dead");
  expect(life(unreachable, ago(DEAD_AFTER_MS))).toBe("dead");
  expect(life(dead, ago(DEAD_AFTER_MS), "provisioning")).toBe("waiting");
  expect(life({ kind: "asleep" }, ago(DEAD_AFTER_MS))).toBe("alive");
  expect(life(snapshot(true, false, true), ago(DEAD_AFTER_MS))).toBe("alive");
});
