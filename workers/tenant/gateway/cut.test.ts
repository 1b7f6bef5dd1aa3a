/** Open connections when the platform invalidates its caches, and a gateway that must not start. */
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { BACKUP_PATH, CUT_PATH, TICK_PATH } from "#workers/contracts/tenant/internal.ts";
import { adminLog, backUp, crash, listed, running } from "../testing/backup-tenant.ts";
import { UPLOAD } from "../testing/engine-proxy.ts";
import { eventually, type Tenant } from "../testing/harness.ts";
import { openEcho } from "../testing/sleeping-tenant.ts";
import { test } from "../testing/test.ts";

const order = async (tenant: Tenant, routable: boolean) => {
  const body = JSON.stringify({ routable });
  return (await tenant.fetch(CUT_PATH, { method: "POST", body })).status;
};
const tick = (tenant: Tenant) =>
  tenant.fetch(TICK_PATH, { method: "POST", body: JSON.stringify({ scheduledTime: new Date().toISOString() }) });

test.concurrent("closes every WebSocket, stream and health listener, but no response with a length", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  await running(tenant);
  const echo = await openEcho(tenant);
  const health = new WebSocket(`${tenant.url.replace("http", "ws")}/api/health/ws`);
  await once(health, "message");
  const stream = (await tenant.fetch("/api/count?to=10000&everyMs=10")).body?.getReader();
  await stream?.read();
  const ends = [echo, health].map(async (socket) => (await once(socket, "close"))[0]);
  // Of ten thousand lines. The runtime decides whether the end is an error.
  const ended = (async () => {
    while (stream !== undefined && !(await stream.read()).done);
  })().catch(() => {});
  const page = tenant.fetch("/");

  expect(await order(tenant, true)).toBe(204);
  expect(await Promise.all(ends)).toEqual([1012, 1012]);
  await ended;
  expect((await page).status).toBe(200);
  // Permitted clients can connect again.
  (await openEcho(tenant)).close();
  expect((await tenant.fetch("/")).status).toBe(200);
});

test.concurrent("starts no gateway while the tenant is not routable, until a permitted call arrives", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  await running(tenant);
  await backUp(tenant);
  expect(await order(tenant, false)).toBe(204);
  await crash(tenant);
  expect((await tick(tenant)).status).toBe(204);
  expect((await tenant.fetch(BACKUP_PATH, { method: "POST" })).status).toBe(200);
  expect((await tenant.health("?passive=1")).status).toBe("stopped");
  await tenant.restartWorker();
  expect((await tick(tenant)).status).toBe(204);
  expect(tenant.processes()).toEqual([]);
  expect((await running(tenant)).status).toBe("running");
});

test.concurrent("leaves a gateway ended after a failed sleep, and keeps its state", async ({ openProxied }) => {
  const { tenant, proxy } = await openProxied(undefined, { bindings: { SLEEP_AFTER_SECONDS: "3" } });
  await running(tenant);
  await eventually(async () => (await listed(tenant)).length > 0);
  expect(await order(tenant, false)).toBe(204);
  proxy.fail(UPLOAD);
  await eventually(async () => (await adminLog(tenant)).includes("sleep.failed"));
  await eventually(() => tenant.processes().length === 0);
  // An attempt would have been made by now.
  expect((await tenant.health("?passive=1")).status).toBe("stopped");
  expect(tenant.processes()).toEqual([]);
  proxy.fail();
  await running(tenant);
});

test.concurrent("requires an order to say whether the tenant is routable", async ({ openTenant }) => {
  const tenant = await openTenant();
  for (const body of ["", "{}", '{"routable":"yes"}'])
    expect((await tenant.fetch(CUT_PATH, { method: "POST", body })).status).toBe(400);
});
