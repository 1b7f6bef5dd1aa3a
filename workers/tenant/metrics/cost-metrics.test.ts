import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Metric } from "../../contracts/cost-metrics.ts";
import { TICK_PATH } from "../../contracts/internal.ts";
import { backUp, empty, listed, running } from "../testing/backup-tenant.ts";
import { eventually, startTenant, type Tenant } from "../testing/harness.ts";
import { asleep } from "../testing/sleeping-tenant.ts";

/** What a container was up before the first look at the clock, in milliseconds: at most the time of a start. */
const BEFORE_MS = 10_000;

interface Metered {
  tenant: Tenant;
  tick(minute: number): Promise<void>;
  /** What was written of a metric, in all. */
  sum(metric: Metric): number;
}

async function startMetered(bindings: Record<string, string> = {}): Promise<Metered> {
  const tenant = await startTenant(undefined, { bindings });
  const tick = async (minute: number) => {
    const scheduledTime = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
    const body = JSON.stringify({ scheduledTime });
    expect((await tenant.fetch(TICK_PATH, { method: "POST", body })).status).toBe(204);
  };
  const sum = (metric: Metric) =>
    tenant
      .points()
      .filter(({ blobs }) => blobs[0] === metric)
      .reduce((all, { doubles }) => all + (doubles[0] ?? 0), 0);
  return { tenant, tick, sum };
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

describe("the minute's tick", () => {
  let metered: Metered;
  beforeAll(async () => {
    metered = await startMetered();
  }, 120_000);
  afterAll(() => metered.tenant.stop());

  test("measures nothing of a container that never ran", async () => {
    await metered.tick(0);
    expect(metered.tenant.points()).toEqual([]);
    expect(metered.tenant.processes()).toEqual([]);
  });

  test("leaves one heartbeat a minute of one that runs", async () => {
    await running(metered.tenant);
    for (const minute of [1, 1, 2, 1]) await metered.tick(minute);
    await eventually(() => metered.sum("container_heartbeat") === 2);
    const beats = metered.tenant.points().filter(({ blobs }) => blobs[0] === "container_heartbeat");
    expect(beats.map(({ index, blobs }) => [index, blobs[1], blobs[2]])).toEqual(
      Array.from({ length: 2 }, () => ["acme", "running", "development"]),
    );
    for (const { doubles } of beats) {
      const [diskUsed = 0, disk = 0, memoryUsed = 0, memory = 0] = doubles.slice(3);
      expect([diskUsed > 0, diskUsed <= disk, memoryUsed > 0, memoryUsed <= memory]).toEqual([true, true, true, true]);
    }
  });

  test("counts uptime, activity and sessions once, however often it comes and though the Worker starts cold", async () => {
    const { tenant, tick, sum } = metered;
    const began = Date.now();
    const counted = sum("container_uptime");
    await openAndClose(tenant);
    await openAndClose(tenant);
    const counting = await tenant.fetch("/api/count?to=5&everyMs=50");
    expect(counting.status).toBe(200);
    await counting.text();
    await Promise.all([tick(3), tick(3), tick(4)]);
    await eventually(() => sum("websocket_sessions") === 2);
    // The stream alone took that long.
    await eventually(() => sum("container_activity") >= 0.2);
    const uptime = sum("container_uptime");
    expect(uptime - counted).toBeGreaterThanOrEqual(0.2);

    // The next Worker takes the container up, and counts from then on.
    await tenant.restartWorker();
    await tick(4);
    await openAndClose(tenant);
    const taken = Date.now();
    await delay(300);
    await tick(5);
    await tick(5);
    await eventually(() => sum("websocket_sessions") === 3);
    await eventually(() => sum("container_uptime") - uptime >= 0.3);
    const ended = Date.now();
    expect((sum("container_uptime") - counted) * 1000).toBeLessThanOrEqual(ended - began + BEFORE_MS);
    expect((sum("container_uptime") - uptime) * 1000).toBeLessThanOrEqual(ended - taken + BEFORE_MS);
    expect(sum("container_activity")).toBeLessThanOrEqual(sum("container_uptime"));
  });
});

describe("what passes between container and bucket", () => {
  let metered: Metered;
  beforeAll(async () => {
    metered = await startMetered();
  }, 120_000);
  afterAll(() => metered.tenant.stop());

  test("is counted for each backup and each restore, by its direction", async () => {
    const { tenant } = metered;
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
  let metered: Metered;
  beforeAll(async () => {
    metered = await startMetered({ SLEEP_AFTER_SECONDS: "4" });
  }, 120_000);
  afterAll(() => metered.tenant.stop());

  test("what it used is counted without any tick, and the next waking is counted beside it", async () => {
    const { tenant, sum } = metered;
    let awake = 0;
    for (const waking of [1, 2]) {
      await running(tenant);
      const from = Date.now();
      await openAndClose(tenant);
      await asleep(tenant);
      // It was idle for four seconds at the least.
      awake += Math.min(Date.now() - from, 4_000);
      await eventually(() => sum("websocket_sessions") === waking);
      await eventually(() => sum("container_uptime") * 1000 > awake);
    }
    expect(sum("container_heartbeat")).toBe(0);
  });
});
