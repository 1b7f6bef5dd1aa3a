/** A gateway whose process lives while it answers nothing. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, type TestContext, test } from "vitest";
import { adminLog, crash, running, tick } from "../testing/backup-tenant.ts";
import { eventually, moodyGateway, type Tenant } from "../testing/harness.ts";
import { openTenant } from "../testing/open-tenant.ts";
import { gatewayOf } from "../testing/sleeping-tenant.ts";

const HANG_MS = 3_000;

const open = (test: TestContext, gateway = moodyGateway()): Promise<Tenant> =>
  openTenant(gateway, { bindings: { GATEWAY_HANG_SECONDS: String(HANG_MS / 1000) } }, test);
const post = (tenant: Tenant, path: string, body = "") => tenant.fetch(path, { method: "POST", body });
/** Freezes the gateway and lets nothing but ticks come. @returns milliseconds until another gateway was there */
async function freeze(tenant: Tenant): Promise<number> {
  const frozen = gatewayOf(tenant);
  await post(tenant, "/freeze");
  const began = Date.now();
  await eventually(async () => {
    await tick(tenant);
    return tenant.processes("gateway").some(({ pid }) => pid !== frozen);
  });
  return Date.now() - began;
}

test.concurrent("is restarted by whoever looks, the tick too, with its state; the next time it takes longer", async (t) => {
  const tenant = await open(t);
  await running(tenant);
  expect(await (await post(tenant, "/keep", "remember me")).text()).toBe("kept");
  const first = await freeze(tenant);
  expect(first).toBeGreaterThanOrEqual(HANG_MS);
  await tenant.until(({ status }) => status === "running", "?passive=1");
  expect(await (await tenant.fetch("/kept")).text()).toBe("remember me");
  expect(await adminLog(tenant)).toContain("gateway.hung");
  expect(await freeze(tenant)).toBeGreaterThanOrEqual(2 * HANG_MS);
});

test.concurrent("is known to hang by a Worker that starts cold meanwhile", async (t) => {
  const tenant = await open(t);
  await running(tenant);
  const frozen = gatewayOf(tenant);
  await post(tenant, "/freeze");
  const began = Date.now();
  while (Date.now() - began < HANG_MS) await tick(tenant);
  expect(gatewayOf(tenant)).toBe(frozen);
  const restarted = Date.now();
  await tenant.restartWorker();
  await eventually(async () => {
    await tick(tenant);
    return tenant.processes("gateway").some(({ pid }) => pid !== frozen);
  });
  const [, since = ""] = /gateway\.hung.*"since\W+([\dTZ:.-]+)/.exec(await adminLog(tenant)) ?? [];
  expect(Date.parse(since)).toBeLessThan(restarted);
});

test.concurrent("is no gateway that starts slowly", async (t) => {
  const tenant = await open(t, moodyGateway(2 * HANG_MS));
  await tenant.health();
  const { pid } = await eventually(() => tenant.processes("gateway")[0]);
  await eventually(async () => {
    await tick(tenant);
    return (await tenant.health("?passive=1")).status === "running";
  });
  expect(gatewayOf(tenant)).toBe(pid);
});

test.concurrent("is no gateway that is well in between", async (t) => {
  const tenant = await open(t);
  const { processId } = await running(tenant);
  const change = () => process.kill(gatewayOf(tenant), "SIGUSR2");
  for (let time = 0; time < 3; time++) {
    change();
    await tenant.until(({ liveness }) => !liveness.ok, "?passive=1");
    await delay(HANG_MS / 2);
    change();
    await tenant.until(({ liveness }) => liveness.ok, "?passive=1");
  }
  expect((await tenant.health()).processId).toBe(processId);
});

test.concurrent("is no gateway that has died: a tick does not start it", async (t) => {
  const tenant = await open(t);
  await running(tenant);
  await crash(tenant);
  const began = Date.now();
  while (Date.now() - began < 2 * HANG_MS) {
    await tick(tenant);
    await delay(500);
  }
  expect(tenant.processes()).toEqual([]);
});
