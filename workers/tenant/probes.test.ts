import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { healthSnapshot as snapshotSchema } from "../contracts/health-snapshot.ts";
import type { ProcessList } from "../contracts/sandbox.ts";
import { healthSnapshot, type KnownRestore, type Observation, StartupCache } from "./probes.ts";

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
const observation: fc.Arbitrary<Observation> = fc.record({
  at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
  processes,
  health,
});
const restore: fc.Arbitrary<KnownRestore> = fc.option(fc.record({ hadBackup: fc.boolean(), restored: fc.boolean() }), {
  nil: undefined,
});

describe("one snapshot", () => {
  test("has the contract's shape, and an error exactly where a probe is not ok", () => {
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

  test("readiness holds exactly when no script is there, a gateway runs and health answers 200", () => {
    fc.assert(
      fc.property(observation, (seen) => {
        const { readiness } = healthSnapshot(seen, new StartupCache(), undefined);
        const list = seen.processes.ok ? seen.processes.value.processes : [];
        const expected =
          list.every(({ type }) => type !== "script") &&
          list.some(({ type, status }) => type === "gateway" && status === "running") &&
          seen.health.ok &&
          seen.health.value.status === 200;
        expect(readiness.ok).toBe(expected);
      }),
    );
  });

  test("the status follows readiness and the processes seen", () => {
    fc.assert(
      fc.property(observation, restore, (seen, known) => {
        const { status, readiness, processId, processType } = healthSnapshot(seen, new StartupCache(), known);
        const any = seen.processes.ok && seen.processes.value.processes.length > 0;
        expect(status).toBe(readiness.ok ? "running" : any ? "starting" : "stopped");
        expect(processId !== undefined).toBe(any);
        expect(processType !== undefined).toBe(any);
      }),
    );
  });

  test("a process list that cannot be read makes readiness unknown", () => {
    const seen: Observation = {
      at: new Date(),
      processes: { ok: false, error: "the sandbox cannot be reached", latencyMs: 1 },
      health: { ok: true, value: { status: 200, body: '{"ok":true}' }, latencyMs: 1 },
    };
    const snapshot = healthSnapshot(seen, new StartupCache(), { hadBackup: false, restored: false });
    expect(snapshot).toMatchObject({
      status: "stopped",
      readiness: { status: "unknown" },
      startup: { status: "unknown" },
      liveness: { ok: true },
    });
  });

  test("a bucket that cannot be read counts as a backup not restored", () => {
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

test("a cached startup never hides an outage, and answers with latency 0 only after a success", () => {
  const step = fc.oneof(fc.record({ clear: fc.constant(true) }), fc.record({ seen: observation, known: restore }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const cache = new StartupCache();
      let succeeded = false;
      for (const one of steps) {
        if ("clear" in one) {
          cache.clear();
          succeeded = false;
          continue;
        }
        const cached = succeeded;
        const { startup, readiness, liveness } = healthSnapshot(one.seen, cache, one.known);
        if (!readiness.ok) expect(startup.ok).toBe(false);
        if (cached && readiness.ok) expect(startup).toEqual({ ok: true, status: "success", latencyMs: 0 });
        if (!cached && startup.ok)
          expect(liveness.ok && readiness.ok && (!one.known?.hadBackup || one.known.restored)).toBe(true);
        succeeded = startup.ok;
      }
    }),
  );
});
