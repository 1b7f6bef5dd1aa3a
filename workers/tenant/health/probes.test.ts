import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { healthSnapshot as snapshotSchema } from "#workers/contracts/tenant/health-snapshot.ts";
import type { ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import type { Observation } from "./observation.ts";
import { startupProbe } from "./probes.ts";
import { healthSnapshot } from "./snapshot.ts";
import { StartupCache } from "./startup-cache.ts";

const process = fc.record({
  id: fc.nat().map(String),
  type: fc.constantFrom("gateway" as const, "script" as const),
  status: fc.constantFrom("running" as const, "suspended" as const),
});
const latencyMs = fc.nat({ max: 10_000 });
const unseen = fc.record({ ok: fc.constant(false as const), error: fc.string({ minLength: 1 }), latencyMs });
const processes = fc.oneof(
  unseen,
  fc.record({
    ok: fc.constant(true as const),
    value: fc.array(process, { maxLength: 3 }).map((list): ProcessList => ({ processes: list })),
    latencyMs,
  }),
);
const body = fc.constantFrom('{"ok":true,"status":"live"}', '{"ok":false}', '{"ok":"true"}', "null", "<html>", "");
const health = fc.oneof(
  unseen,
  fc.record({
    ok: fc.constant(true as const),
    value: fc.record({ status: fc.constantFrom(200, 204, 404, 503), body }),
    latencyMs,
  }),
);
/** Milliseconds since the epoch, from a small range, so that observations overlap. */
const time = fc.integer({ min: 0, max: 20 });
const observation: fc.Arbitrary<Observation> = fc.record({
  at: time.map((ms) => new Date(ms)),
  processes,
  health,
  restarting: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const restore: fc.Arbitrary<KnownRestore> = fc.option(fc.record({ hadBackup: fc.boolean(), restored: fc.boolean() }), {
  nil: undefined,
});

const CACHED = { ok: true, status: "success", latencyMs: 0 };
const NOTHING_TO_RESTORE = { hadBackup: false, restored: false };
/** Startup, readiness and liveness (spec: "States and transitions"), and combinations that the table omits. */
const STATES = [
  ...["no no no", "no no yes", "no yes yes", "yes yes yes", "yes no yes", "yes no no"],
  // Health responds with 200 without `ok`: ready by the rules, but not live.
  ...["no yes no", "yes yes no"],
];

const ready = (any: typeof observation): typeof observation =>
  any.map((seen) => ({
    ...seen,
    processes: { ok: true, value: { processes: [{ id: "1", type: "gateway", status: "running" }] }, latencyMs: 1 },
    health: { ok: true, value: { status: 200, body: '{"ok":true}' }, latencyMs: 1 },
    restarting: false,
  }));
const unlisted = ([seen, processes]: [Observation, Observation["processes"]]): Observation => ({ ...seen, processes });

describe("one snapshot", () => {
  test("has the contract's shape, and an error if and only if a probe is not ok", () => {
    fc.assert(
      fc.property(observation, restore, (seen, known) => {
        const snapshot = snapshotSchema.parse(healthSnapshot(seen, new StartupCache(), known));
        for (const probe of [snapshot.startup, snapshot.readiness, snapshot.liveness]) {
          expect(probe.ok).toBe(probe.status === "success");
          expect(probe.error === undefined).toBe(probe.ok);
        }
      }),
    );
  });

  test("is ready if and only if no script runs, a gateway runs and health responds with 200", () => {
    fc.assert(
      fc.property(observation, (seen) => {
        const { readiness } = healthSnapshot(seen, new StartupCache(), undefined);
        const list = seen.processes.ok ? seen.processes.value.processes : [];
        const expected =
          list.every(({ type }) => type !== "script") &&
          list.some(({ type, status }) => type === "gateway" && status === "running") &&
          seen.health.ok &&
          seen.health.value.status === 200 &&
          // A gateway that responds during a restart is about to end.
          seen.restarting !== true;
        expect(readiness.ok).toBe(expected);
      }),
    );
  });

  test("derives the status from readiness and processes", () => {
    fc.assert(
      fc.property(observation, restore, (seen, known) => {
        const snapshot = healthSnapshot(seen, new StartupCache(), known);
        const { status, readiness, liveness, processId, processType } = snapshot;
        const any = seen.processes.ok && seen.processes.value.processes.length > 0;
        const exists = any || (!seen.processes.ok && liveness.ok);
        expect(status).toBe(readiness.ok ? "running" : exists ? "starting" : "stopped");
        expect(processId !== undefined).toBe(any);
        expect(processType !== undefined).toBe(any);
      }),
    );
  });

  test("reports readiness as unknown when the process list cannot be read", () => {
    fc.assert(
      fc.property(observation, restore, unseen, (seen, known, processes) => {
        const snapshot = healthSnapshot({ ...seen, processes }, new StartupCache(), known);
        expect(snapshot.readiness).toMatchObject({ ok: false, status: "unknown", error: processes.error });
        expect(snapshot.startup.status).toBe(snapshot.liveness.ok ? "unknown" : "failure");
        expect(snapshot.status).toBe(snapshot.liveness.ok ? "starting" : "stopped");
        expect(snapshot).not.toHaveProperty("processId");
        expect(snapshot).not.toHaveProperty("processType");
      }),
    );
  });

  test("counts a backup as not restored when the bucket cannot be read", () => {
    const seen: Observation = {
      at: new Date(),
      processes: { ok: true, value: { processes: [{ id: "1", type: "gateway", status: "running" }] }, latencyMs: 1 },
      health: { ok: true, value: { status: 200, body: '{"ok":true}' }, latencyMs: 1 },
    };
    const snapshot = healthSnapshot(seen, new StartupCache(), undefined);
    expect(snapshot).toMatchObject({
      status: "running",
      startup: { status: "unknown" },
      restoreStatus: { hadBackup: true, restored: false },
    });
  });
});

const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ clear: time }) },
  { weight: 4, arbitrary: fc.record({ seen: observation, known: restore }) },
  // Successes and what may follow them are rare otherwise.
  { weight: 4, arbitrary: fc.record({ seen: ready(observation), known: fc.constant(NOTHING_TO_RESTORE) }) },
  { weight: 2, arbitrary: fc.record({ seen: fc.tuple(observation, unseen).map(unlisted), known: restore }) },
);

test("never hides an outage by a cached startup, and reports latency 0 only after a success", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const cache = new StartupCache();
      let cached = false;
      let droppedAt = Number.NEGATIVE_INFINITY;
      for (const one of steps) {
        if ("clear" in one) {
          cache.clear(one.clear);
          cached = false;
          droppedAt = Math.max(droppedAt, one.clear);
          continue;
        }
        const { startup, readiness, liveness, status } = healthSnapshot(one.seen, cache, one.known);
        const fresh = startupProbe(liveness, readiness, one.known);
        if (readiness.status === "failure") expect(startup.ok).toBe(false);
        // A cached success is reported until readiness fails. Traffic always follows readiness.
        expect(startup).toEqual(cached && readiness.status !== "failure" ? CACHED : fresh);
        expect(status === "running").toBe(readiness.ok);
        expect(STATES).toContain([startup, readiness, liveness].map(({ ok }) => (ok ? "yes" : "no")).join(" "));
        const at = one.seen.at.getTime();
        if (readiness.status === "failure") droppedAt = Math.max(droppedAt, at);
        // An observation from before the last failure is reported, but not cached.
        cached = startup.ok && (cached || at > droppedAt);
      }
    }),
  );
});
