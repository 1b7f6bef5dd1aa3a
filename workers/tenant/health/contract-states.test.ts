/** Each row of the table of states (spec: "States and transitions") with real processes, and the way out of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { ADMIN, crash, leaveUnmarkedState } from "../testing/backup-tenant.ts";
import { HEALTH, PROCESSES } from "../testing/engine-proxy.ts";
import { eventually, referenceGateway, type Tenant } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";

const flags = ({ startup, readiness, liveness }: HealthSnapshot) => [startup.ok, readiness.ok, liveness.ok];
const COLD = [false, false, false];
const STARTING = [false, false, true];
const STARTING_BACKUP = [false, true, true];
const READY = [true, true, true];
const DEGRADED = [true, false, true];
const DEAD = [true, false, false];

const passive = (tenant: Tenant) => tenant.health("?passive=1");
const ready = (tenant: Tenant) => tenant.until((snapshot) => String(flags(snapshot)) === String(READY));
const restart = (tenant: Tenant) => tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
const only = (processes: { pid: number }[]): number => {
  expect(processes).toHaveLength(1);
  return processes[0]?.pid ?? 0;
};

/** A gateway that waits for a file before it starts. */
const waitingGateway = [
  "sh",
  "-c",
  'until [ -e "$HOME/gate" ]; do sleep 0.05; done; exec "$0" "$@"',
  ...referenceGateway,
];

// A gateway that responds, whose startup script was suspended before it noticed.
const test = base.extend("heldStart", async ({ openTenant }) => {
  const tenant = await openTenant(waitingGateway);
  await tenant.health();
  await eventually(() => tenant.processes("gateway").length > 0);
  const script = only(tenant.processes("script"));
  process.kill(script, "SIGSTOP");
  writeFileSync(join(tenant.root, "gate"), "");
  await tenant.until(({ liveness }) => liveness.ok, "?passive=1");
  return { tenant, script };
});

test.concurrent("Cold start: an active call leads to Ready", async ({ openTenant }) => {
  const tenant = await openTenant(referenceGateway);
  const cold = await passive(tenant);
  expect([flags(cold), cold.status, cold.processType]).toEqual([COLD, "stopped", undefined]);
  expect(tenant.processes()).toEqual([]);
  expect((await ready(tenant)).status).toBe("running");
});

test.concurrent("Starting: the gateway is live until its startup script ends, then Ready", async ({
  heldStart: { tenant, script },
}) => {
  const starting = await passive(tenant);
  expect([flags(starting), starting.status]).toEqual([STARTING, "starting"]);
  expect(starting.readiness).toMatchObject({ status: "failure", error: "the startup script is running" });
  expect((await tenant.fetch("/api/notes")).status).toBe(503);
  const [gateway] = tenant.processes("gateway");
  process.kill(script, "SIGCONT");
  const running = await ready(tenant);
  expect(running).toMatchObject({ processId: String(gateway?.ownPid), processType: "gateway" });
  expect(tenant.processes("script")).toEqual([]);
});

test.concurrent("Stuck: the script never ends despite repeated calls, and a restart leads to Ready", async ({
  heldStart: { tenant, script },
}) => {
  const gateway = only(tenant.processes("gateway"));
  for (let attempt = 0; attempt < 10; attempt++) {
    const stuck = await tenant.health(attempt % 2 === 0 ? "" : "?passive=1");
    expect([flags(stuck), stuck.status]).toEqual([STARTING, "starting"]);
  }
  expect(only(tenant.processes("script"))).toBe(script);
  expect(only(tenant.processes("gateway"))).toBe(gateway);
  expect((await restart(tenant)).status).toBe(202);
  expect((await ready(tenant)).processId).not.toBe(String(gateway));
  expect(tenant.processes("script")).toEqual([]);
});

test.concurrent("Starting (backup): ready without a restored backup, and Ready without that backup", async ({
  openTenant,
}) => {
  const tenant = await openTenant(referenceGateway);
  // A state of unknown origin is not replaced.
  await leaveUnmarkedState(tenant);
  const { bucket } = tenant;
  await bucket.put("backups/1/manifest.json", "{}");
  const starting = await tenant.until(({ readiness }) => readiness.ok);
  expect([flags(starting), starting.status]).toEqual([STARTING_BACKUP, "running"]);
  expect(starting.restoreStatus).toEqual({ hadBackup: true, restored: false });
  await bucket.delete("backups/1/manifest.json");
  await restart(tenant);
  expect((await ready(tenant)).restoreStatus.hadBackup).toBe(false);
});

test.concurrent("Ready: traffic passes", async ({ openTenant }) => {
  const tenant = await openTenant(referenceGateway);
  const running = await ready(tenant);
  expect([running.status, running.processType]).toEqual(["running", "gateway"]);
  expect((await tenant.fetch("/api/notes")).status).toBe(200);
});

describe.concurrent("when the process list cannot be read", () => {
  test("Degraded: the gateway is live and startup stays ok, but no traffic passes; then Ready when the list is readable", async ({
    openProxied,
  }) => {
    const { tenant, proxy } = await openProxied(referenceGateway);
    await ready(tenant);
    proxy.fail(PROCESSES);
    for (const query of ["", "?passive=1"]) {
      const degraded = await tenant.health(query);
      expect([flags(degraded), degraded.status]).toEqual([DEGRADED, "starting"]);
      expect(degraded.startup).toEqual({ ok: true, status: "success", latencyMs: 0 });
      expect(degraded.readiness).toMatchObject({ status: "unknown", error: "the sandbox cannot be reached" });
    }
    expect((await tenant.fetch("/api/notes")).status).toBe(503);
    proxy.fail();
    expect(flags(await passive(tenant))).toEqual(READY);
    expect((await tenant.fetch("/api/notes")).status).toBe(200);
  });

  test("Dead: nothing starts a gateway until the list is readable; then an active call does", async ({
    openProxied,
  }) => {
    const { tenant, proxy } = await openProxied(referenceGateway);
    const first = await ready(tenant);
    proxy.fail(PROCESSES);
    await crash(tenant);
    for (const query of ["", "?passive=1"]) {
      const dead = await tenant.health(query);
      expect([flags(dead), dead.status]).toEqual([DEAD, "stopped"]);
      expect(dead.startup).toEqual({ ok: true, status: "success", latencyMs: 0 });
    }
    expect((await tenant.fetch("/api/notes")).status).toBe(503);
    expect([...tenant.processes("gateway"), ...tenant.processes("script")]).toEqual([]);
    proxy.fail();
    // Readiness fails now, which clears the cached startup.
    expect(flags(await passive(tenant))).toEqual(COLD);
    expect((await ready(tenant)).processId).not.toBe(first.processId);
  });

  test("clears the cached startup on a restart and on a cold start", async ({ openProxied }) => {
    const { tenant, proxy } = await openProxied(referenceGateway);
    await ready(tenant);
    proxy.fail(PROCESSES);
    expect((await passive(tenant)).startup.ok).toBe(true);
    await tenant.restartWorker();
    const cold = await tenant.until(({ liveness }) => liveness.ok, "?passive=1");
    expect(cold.startup).toMatchObject({ ok: false, status: "unknown" });
    proxy.fail();
    await ready(tenant);
    proxy.fail(PROCESSES);
    expect((await passive(tenant)).startup.ok).toBe(true);
    proxy.fail();
    expect((await restart(tenant)).status).toBe(202);
    proxy.fail(PROCESSES);
    const restarted = await tenant.until(({ liveness }) => liveness.ok, "?passive=1");
    expect(restarted.startup).toMatchObject({ ok: false, status: "unknown" });
    proxy.fail();
    await ready(tenant);
  });
});

test.concurrent("does not cache a startup from an observation before an outage", async ({ openProxied }) => {
  const { tenant, proxy } = await openProxied(referenceGateway);
  await ready(tenant);
  let calls = 0;
  const lists = () => proxy.answers.filter((call) => call === PROCESSES).length;
  const listed = lists();
  const stalled = proxy.stall((call) => call === HEALTH && ++calls === 1);
  const early = tenant.health();
  await eventually(() => stalled.calls.length === 1 && lists() > listed);
  await crash(tenant);
  expect(flags(await passive(tenant))).toEqual(COLD);
  stalled.release();
  // It reports its own observation and time.
  expect(flags(await early)).toEqual(READY);
  proxy.fail(PROCESSES);
  expect(flags(await passive(tenant))).toEqual(COLD);
});
