import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { DEVICES_PATH } from "#workers/contracts/tenant/devices.ts";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { leaveUnmarkedState, running } from "../testing/backup-tenant.ts";
import { eventually, faultGateway, scriptedGateway, slowGateway, type Tenant, TOKEN } from "../testing/harness.ts";
import { listen } from "../testing/health-stream.ts";
import { test } from "../testing/test.ts";

const signalGateway = (tenant: Tenant, signal: NodeJS.Signals): void => {
  for (const { pid } of tenant.processes("gateway")) process.kill(pid, signal);
};
const flags = ({ startup, readiness, liveness }: HealthSnapshot) => [startup.ok, readiness.ok, liveness.ok];
/** How long an active call would have waited. */
const ACTIVE_LIMIT_MS = 10_000;
const admin = { "X-Platform-Role": "ADMIN" };

test.concurrent("reports devices that are new since the first list, to administrators only", async ({ openTenant }) => {
  const tenant = await openTenant(scriptedGateway());
  await running(tenant);
  const device = (deviceId: string, at: number) => ({ deviceId, roles: ["node"], scopes: [], at, connected: true });
  const old = device("old", Date.now() - 60_000);
  const set = (pending: object[]) =>
    tenant.fetch("/devices", { method: "POST", body: JSON.stringify({ pending, paired: [old] }) });
  const read = async (headers = {}) =>
    healthSnapshot.parse(await (await tenant.fetch("/api/health?passive=1", { headers })).json()).newDevices;
  await set([]);
  expect((await tenant.fetch(DEVICES_PATH, { headers: admin })).status).toBe(200);
  const at = Date.now() - 10_000;
  await set([{ ...device("new", at), requestId: "r1", name: "Laptop", platform: "darwin" }]);
  const found = [{ id: "new", at: new Date(at).toISOString(), waits: true, name: "Laptop", platform: "darwin" }];
  await expect.poll(() => read(admin), { timeout: 180_000 }).toEqual(found);
  for (const headers of [{}, { "X-Platform-Role": "BASE_USER" }]) expect(await read(headers)).toBeUndefined();
  await tenant.restartWorker();
  expect((await tenant.fetch(DEVICES_PATH, { headers: admin })).status).toBe(200);
  expect(await read(admin)).toEqual(found);
});

describe.concurrent("with the reference gateway", () => {
  test("goes from stopped to starting to running, and caches the startup probe", async ({ openTenant }) => {
    const tenant = await openTenant(slowGateway);
    const cold = await tenant.health("?passive=1");
    expect(cold).toMatchObject({ status: "stopped", restoreStatus: { hadBackup: false, restored: false } });
    expect(flags(cold)).toEqual([false, false, false]);
    expect(cold.processId).toBeUndefined();

    const starting = await tenant.health();
    expect(starting).toMatchObject({ status: "starting", processType: "script" });
    expect(tenant.processes("script").map(({ ownPid }) => String(ownPid))).toEqual([starting.processId]);

    const running = await tenant.until(({ status }) => status === "running");
    expect(flags(running)).toEqual([true, true, true]);
    expect(running.processType).toBe("gateway");
    expect(tenant.processes("gateway").map(({ ownPid }) => String(ownPid))).toEqual([running.processId]);
    expect(tenant.processes("script")).toEqual([]);
    expect(running.ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const again = await tenant.health();
    expect(again.startup).toEqual({ ok: true, status: "success", latencyMs: 0 });
  });

  test("starts nothing on passive calls", async ({ openTenant }) => {
    const tenant = await openTenant();
    for (let i = 0; i < 5; i++) expect((await tenant.health("?passive=1")).status).toBe("stopped");
    const stream = await listen(`${tenant.url}/api/health/ws?passive=1`);
    await eventually(() => stream.messages.length > 0);
    expect(stream.messages[0]?.status).toBe("stopped");
    await stream.close();
    expect(tenant.processes()).toEqual([]);
  });

  test("starts one gateway for fifty concurrent calls", async ({ openTenant }) => {
    const tenant = await openTenant(slowGateway);
    const seen = new Set<string>();
    const snapshots = await Promise.all(Array.from({ length: 50 }, () => tenant.health()));
    for (const { processId, processType } of snapshots) if (processType === "script") seen.add(processId ?? "");
    expect(seen.size).toBe(1);
    await tenant.until(({ status }) => status === "running");
    expect(tenant.processes("gateway")).toHaveLength(1);
    expect(tenant.processes("script")).toHaveLength(0);
  });

  test("detects a crashed gateway immediately, and restarts it on an active call", async ({ openTenant }) => {
    const tenant = await openTenant();
    const first = await tenant.until(({ status }) => status === "running");
    signalGateway(tenant, "SIGKILL");
    await eventually(() => tenant.processes().length === 0);
    const dead = await tenant.health("?passive=1");
    expect(dead.status).toBe("stopped");
    expect(flags(dead)).toEqual([false, false, false]);
    const back = await tenant.until(({ status }) => status === "running");
    expect(back.processId).not.toBe(first.processId);
  });

  test("reports a suspended gateway process as not ready", async ({ openTenant }) => {
    const tenant = await openTenant();
    await tenant.until(({ status }) => status === "running");
    signalGateway(tenant, "SIGSTOP");
    const snapshot = await tenant.health("?passive=1");
    expect(snapshot).toMatchObject({ status: "starting", readiness: { error: "the gateway process is suspended" } });
    signalGateway(tenant, "SIGCONT");
    expect((await tenant.until(({ readiness }) => readiness.ok, "?passive=1")).status).toBe("running");
  });

  test("replaces the gateway on a restart, and fails readiness while the startup script runs", async ({
    openTenant,
  }) => {
    const tenant = await openTenant(slowGateway);
    const first = await tenant.until(({ status }) => status === "running");
    const response = await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: admin });
    expect(response.status).toBe(202);
    const during = await tenant.health("?passive=1");
    expect(during.status).toBe("starting");
    expect(during.readiness.error).toContain("startup script");
    expect(during.startup.ok).toBe(false);
    const second = await tenant.until(({ status }) => status === "running", "?passive=1");
    expect(second.processId).not.toBe(first.processId);
    expect(tenant.processes("gateway")).toHaveLength(1);
  });

  test("delays startup until a complete backup is restored, but not for an incomplete one", async ({ openTenant }) => {
    const tenant = await openTenant();
    await tenant.bucket.put("backups/1/data.tar", "half");
    expect((await tenant.health("?passive=1")).restoreStatus.hadBackup).toBe(false);
    const other = await openTenant();
    await leaveUnmarkedState(other);
    await other.bucket.put("backups/1/manifest.json", "{}");
    const snapshot = await other.until(({ readiness }) => readiness.ok);
    expect(snapshot.restoreStatus).toEqual({ hadBackup: true, restored: false });
    expect(flags(snapshot)).toEqual([false, true, true]);
    expect(snapshot.startup.error).toBe("the backup is not restored");
  });

  test("sends a first snapshot immediately on the stream, and more while the gateway starts", async ({
    openTenant,
  }) => {
    const tenant = await openTenant(slowGateway);
    const stream = await listen(`${tenant.url}/api/health/ws`);
    const other = await listen(`${tenant.url}/api/health/ws?passive=1`);
    await eventually(() => stream.messages.length > 0 && other.messages.length > 0);
    expect(stream.messages[0]?.status).toBe("starting");
    await eventually(() => stream.messages.some(({ status }) => status === "running"));
    // The same message reaches the two at different times.
    await eventually(() =>
      other.messages.some(({ status, ts }) => status === "running" && stream.messages.some((one) => one.ts === ts)),
    );
    await Promise.all([stream.close(), other.close()]);
    expect((await tenant.fetch("/api/health/ws")).status).toBe(400);
  });

  test("requires ADMIN or ROOT for admin paths, whose aliases return the same snapshot", async ({ openTenant }) => {
    const tenant = await openTenant();
    const paths = ["/api/admin/gateway/status/polling?passive=1", "/api/admin/gateway/log", "/api/admin/gateway/other"];
    for (const path of paths) {
      for (const headers of [{}, { "X-Platform-Role": "BASE_USER" }, { "X-Platform-Role": "admin" }]) {
        const refused = await tenant.fetch(path, { headers });
        expect(refused.status).toBe(403);
        expect(await refused.json()).toMatchObject({ error: { code: "forbidden" } });
      }
    }
    expect((await tenant.fetch("/api/admin/gateway/restart", { method: "POST" })).status).toBe(403);
    expect((await tenant.fetch("/api/admin/gateway/restart", { headers: admin })).status).toBe(405);
    for (const path of ["/api/status?passive=1", "/api/admin/gateway/status/polling?passive=1"])
      for (const role of ["ADMIN", "ROOT"]) {
        const response = await tenant.fetch(path, { headers: { "X-Platform-Role": role } });
        expect(healthSnapshot.parse(await response.json()).status).toBe("stopped");
      }
    expect(tenant.processes()).toEqual([]);
  });
});

describe.concurrent("with a faulty gateway", () => {
  test.for(["hang", "drip"])(
    "reports within the limit on a passive call when the gateway responds like %s",
    async (mode, { openTenant }) => {
      const tenant = await openTenant(faultGateway(mode));
      await tenant.health();
      await eventually(() => tenant.processes("gateway").length > 0);
      const snapshot = await tenant.until(({ liveness }) => liveness.error?.includes("within") === true, "?passive=1");
      expect(snapshot.liveness).toMatchObject({
        ok: false,
        status: "failure",
        error: "the gateway did not respond within 3000 ms",
      });
      expect(snapshot.liveness.latencyMs).toBeLessThan(ACTIVE_LIMIT_MS);
      expect(snapshot.status).toBe("starting");
    },
  );

  test("is not live when health responds with 200 without ok: true", async ({ openTenant }) => {
    const tenant = await openTenant(faultGateway("wrong"));
    await tenant.health();
    const snapshot = await tenant.until(({ liveness }) => liveness.error?.includes("JSON") === true, "?passive=1");
    expect(flags(snapshot)).toEqual([false, false, false]);
  });

  test("reports an early end with a log for administrators, and the token in neither", async ({ openTenant }) => {
    const tenant = await openTenant(faultGateway("exit"));
    await tenant.health();
    const snapshot = await tenant.until(({ readiness }) => readiness.error?.includes("ended") === true, "?passive=1");
    expect(snapshot.status).toBe("stopped");
    expect(snapshot.readiness.error).toBe("the last start failed: the gateway ended with code 3 before it responded");
    const log = await (await tenant.fetch("/api/admin/gateway/log", { headers: admin })).text();
    expect(log).toContain("cannot open the database");
    expect(log).toContain("using [secret]");
    expect(log + JSON.stringify(snapshot)).not.toContain(TOKEN);
  });
});

describe.concurrent("with an unreachable sandbox", () => {
  const unseen = {
    status: "stopped",
    readiness: { status: "unknown" },
    startup: { ok: false },
    liveness: { ok: false },
  };

  test("reports a sandbox that never responds within the passive limit", async ({
    directory,
    openTenant,
    onTestFinished,
  }) => {
    const silent = createServer().listen(join(directory, "s"));
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const tenant = await openTenant(undefined, { between: async () => `unix:${join(directory, "s")}` });
    const snapshot = await tenant.health("?passive=1");
    expect(snapshot).toMatchObject(unseen);
    expect(snapshot.readiness.error).toBe("the sandbox did not respond within 3000 ms");
    expect(snapshot.readiness.latencyMs).toBeLessThan(ACTIVE_LIMIT_MS);
  });

  test("reports a sandbox that refuses connections, and rejects traffic", async ({ openTenant }) => {
    const tenant = await openTenant(undefined, { between: async () => `unix:${join(tmpdir(), "no-such-socket")}` });
    for (const query of ["?passive=1", ""]) expect(await tenant.health(query)).toMatchObject(unseen);
    expect((await tenant.fetch("/api/notes")).status).toBe(503);
  });
});
