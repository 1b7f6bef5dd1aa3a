import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { WebSocket } from "ws";
import { TICK_PATH } from "#workers/contracts/tenant/internal.ts";
import type { Metric } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import { backUp, empty, listed, running } from "../testing/backup-tenant.ts";
import { eventually, type Tenant } from "../testing/harness.ts";
import { asleep } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

/** Maximum uptime before the first measurement, in milliseconds: the time of a start. */
const BEFORE_MS = 10_000;

/** The sum of a written metric. */
const sum = (tenant: Tenant, metric: Metric): number =>
  tenant
    .points()
    .filter(({ blobs }) => blobs[0] === metric)
    .reduce((all, { doubles }) => all + (doubles[0] ?? 0), 0);

async function tick(tenant: Tenant, minute: number): Promise<void> {
  const scheduledTime = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  const body = JSON.stringify({ scheduledTime });
  expect((await tenant.fetch(TICK_PATH, { method: "POST", body })).status).toBe(204);
}

async function openAndClose(tenant: Tenant): Promise<void> {
  const socket = new WebSocket(`${tenant.url.replace("http", "ws")}/echo`);
  const answered = new Promise((resolve, reject) => socket.once("message", resolve).once("error", reject));
  socket.once("open", () => socket.send("hello"));
  await answered;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.close(1000);
  await closed;
}

const test = base.extend("tenant", { scope: "file" }, ({ openFileTenant }) => openFileTenant());

describe("the minute's tick", () => {
  test("measures nothing when the container never ran", async ({ tenant }) => {
    await tick(tenant, 0);
    expect(tenant.points()).toEqual([]);
    expect(tenant.processes()).toEqual([]);
  });

  test("writes one heartbeat a minute while the container runs", async ({ tenant }) => {
    await running(tenant);
    for (const minute of [1, 1, 2, 1]) await tick(tenant, minute);
    await eventually(() => sum(tenant, "container_heartbeat") === 2);
    const beats = tenant.points().filter(({ blobs }) => blobs[0] === "container_heartbeat");
    expect(beats.map(({ index, blobs }) => [index, blobs[1], blobs[2]])).toEqual(
      Array.from({ length: 2 }, () => ["acme", "running", "development"]),
    );
    for (const { doubles } of beats) {
      const [diskUsed = 0, disk = 0, memoryUsed = 0, memory = 0] = doubles.slice(3);
      expect([diskUsed > 0, diskUsed <= disk, memoryUsed > 0, memoryUsed <= memory]).toEqual([true, true, true, true]);
    }
  });

  test("counts uptime, activity and sessions once, despite repeated ticks and cold starts", async ({ tenant }) => {
    const began = Date.now();
    const counted = sum(tenant, "container_uptime");
    await openAndClose(tenant);
    await openAndClose(tenant);
    const counting = await tenant.fetch("/api/count?to=5&everyMs=50");
    expect(counting.status).toBe(200);
    await counting.text();
    await Promise.all([tick(tenant, 3), tick(tenant, 3), tick(tenant, 4)]);
    await eventually(() => sum(tenant, "websocket_sessions") === 2);
    // The duration of the stream.
    await eventually(() => sum(tenant, "container_activity") >= 0.2);
    const uptime = sum(tenant, "container_uptime");
    expect(uptime - counted).toBeGreaterThanOrEqual(0.2);

    // The next Worker continues with the running container, and counts from then on.
    await tenant.restartWorker();
    await tick(tenant, 4);
    await openAndClose(tenant);
    const taken = Date.now();
    await delay(300);
    await tick(tenant, 5);
    await tick(tenant, 5);
    await eventually(() => sum(tenant, "websocket_sessions") === 3);
    await eventually(() => sum(tenant, "container_uptime") - uptime >= 0.3);
    const ended = Date.now();
    expect((sum(tenant, "container_uptime") - counted) * 1000).toBeLessThanOrEqual(ended - began + BEFORE_MS);
    expect((sum(tenant, "container_uptime") - uptime) * 1000).toBeLessThanOrEqual(ended - taken + BEFORE_MS);
    expect(sum(tenant, "container_activity")).toBeLessThanOrEqual(sum(tenant, "container_uptime"));
  });
});

describe("transfer between container and bucket", () => {
  test("is counted for each backup and restore, by direction", async ({ openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    const { archive } = await backUp(tenant);
    const archives = await listed(tenant);
    const bytes = (direction: string, operation: string) =>
      tenant
        .points()
        .filter(
          ({ blobs }) => blobs[0] === "object_storage_bandwidth" && blobs[3] === direction && blobs[4] === operation,
        )
        .map(({ doubles }) => doubles[0]);
    await eventually(() => bytes("upload", "backup").length === archives.length);
    expect(bytes("upload", "backup").at(-1)).toBe(archive.size);
    expect(bytes("download", "restore")).toEqual([]);
    await empty(tenant);
    await running(tenant);
    await eventually(() => bytes("download", "restore").length > 0);
    expect(bytes("download", "restore")).toEqual([archive.size]);
  });
});

describe("before the container sleeps", () => {
  test("counts its use without a tick, and that of the next wake period separately", async ({ openTenant }) => {
    const tenant = await openTenant(undefined, { bindings: { SLEEP_AFTER_SECONDS: "4" } });
    let awake = 0;
    for (const waking of [1, 2]) {
      await running(tenant);
      const from = Date.now();
      await openAndClose(tenant);
      await asleep(tenant);
      // It was idle for at least four seconds.
      awake += Math.min(Date.now() - from, 4_000);
      await eventually(() => sum(tenant, "websocket_sessions") === waking);
      await eventually(() => sum(tenant, "container_uptime") * 1000 > awake);
    }
    expect(sum(tenant, "container_heartbeat")).toBe(0);
  });
});
