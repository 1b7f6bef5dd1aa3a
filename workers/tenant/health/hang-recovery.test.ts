/** A gateway that hangs, and gateways that do not. */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import * as z from "zod";
import { ADMIN, adminLog, crash, running, tick } from "../testing/backup-tenant.ts";
import { eventually, scriptedGateway, type Tenant, TOKEN } from "../testing/harness.ts";
import { gatewayOf } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

const HANG_MS = 3_000;
/** Stored log lines of a gateway that ended. */
const LAST_LINES = 20;

const test = base.extend("open", ({ openTenant }) => {
  return (gateway = scriptedGateway(), hangMs = HANG_MS) =>
    openTenant(gateway, { bindings: { GATEWAY_HANG_SECONDS: String(hangMs / 1000) } });
});

/** The last of twice as many numbered lines, without the secret. */
const lastSaid = Array.from({ length: LAST_LINES }, (_, i) => `line ${LAST_LINES + i + 1} with [secret]`);
const gatewayEnd = z.object({ event: z.string(), process: z.string(), log: z.array(z.string()) });
/** Returns the ends of gateways in the administrators' log, oldest first. */
async function gatewayEnds(tenant: Tenant): Promise<z.infer<typeof gatewayEnd>[]> {
  const { lines } = z.object({ lines: z.array(z.string()) }).parse(JSON.parse(await adminLog(tenant)));
  return lines.flatMap((line) => {
    const [, text = "{}"] = /^\S+Z ({"event":"gateway\.(?:hung|died)".*)$/.exec(line) ?? [];
    return gatewayEnd.safeParse(JSON.parse(text)).data ?? [];
  });
}
const post = (tenant: Tenant, path: string, body = "") => tenant.fetch(path, { method: "POST", body });
/** Freezes the gateway and sends only ticks. @returns milliseconds until another gateway runs */
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

test.concurrent("is restarted after any health check with its state, and later on the next time", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  expect(await (await post(tenant, "/keep", "remember me")).text()).toBe("kept");
  for (let line = 1; line <= 2 * LAST_LINES; line++) await post(tenant, "/say", `line ${line} with ${TOKEN}`);
  const first = await freeze(tenant);
  expect(first).toBeGreaterThanOrEqual(HANG_MS);
  await tenant.until(({ status }) => status === "running", "?passive=1");
  expect(await (await tenant.fetch("/kept")).text()).toBe("remember me");
  expect((await gatewayEnds(tenant))[0]).toMatchObject({ event: "gateway.hung", log: lastSaid });
  expect(await freeze(tenant)).toBeGreaterThanOrEqual(2 * HANG_MS);
  // Both are stored, so an object that starts cold reports them.
  await tenant.restartWorker();
  expect((await gatewayEnds(tenant)).map(({ event, log }) => [event, log])).toEqual([
    ["gateway.hung", lastSaid],
    ["gateway.hung", expect.any(Array)],
  ]);
});

test.concurrent("is restarted without further health checks", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  const frozen = gatewayOf(tenant);
  await post(tenant, "/freeze");
  await tick(tenant);
  await eventually(() => tenant.processes("gateway").some(({ pid }) => pid !== frozen));
});

test.concurrent("is not detected when a gateway is busy for less than the limit", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  const busy = gatewayOf(tenant);
  for (let time = 0; time < 4; time++) {
    await post(tenant, `/busy?ms=${HANG_MS * 0.8}`);
    for (const end = Date.now() + HANG_MS * 0.8; Date.now() < end; ) await tick(tenant);
    await tenant.until(({ liveness }) => liveness.ok, "?passive=1");
  }
  expect(gatewayOf(tenant)).toBe(busy);
  expect(await adminLog(tenant)).not.toContain("gateway.hung");
});

test.concurrent("is detected by a Worker that starts cold meanwhile", async ({ open }) => {
  const tenant = await open();
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

test.concurrent("is not detected when a gateway starts slowly", async ({ open }) => {
  const tenant = await open(scriptedGateway(2 * HANG_MS));
  await tenant.health();
  const { pid } = await eventually(() => tenant.processes("gateway")[0]);
  await eventually(async () => {
    await tick(tenant);
    return (await tenant.health("?passive=1")).status === "running";
  });
  expect(gatewayOf(tenant)).toBe(pid);
});

test.concurrent("is not detected when a gateway is live in between", async ({ open }) => {
  // A busy machine needs seconds to detect a change; three times the pause still exceeds the limit.
  const limitMs = 15_000;
  const tenant = await open(scriptedGateway(), limitMs);
  const { processId } = await running(tenant);
  const change = () => process.kill(gatewayOf(tenant), "SIGUSR2");
  for (let time = 0; time < 3; time++) {
    change();
    await tenant.until(({ liveness }) => !liveness.ok, "?passive=1");
    await delay(limitMs * 0.4);
    change();
    await tenant.until(({ liveness }) => liveness.ok, "?passive=1");
  }
  expect((await tenant.health()).processId).toBe(processId);
});

test.concurrent("is not detected when a gateway has died, and a tick does not start it", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  await crash(tenant);
  const began = Date.now();
  while (Date.now() - began < 2 * HANG_MS) {
    await tick(tenant);
    await delay(500);
  }
  expect(tenant.processes()).toEqual([]);
});

test.concurrent("reports a died gateway with its last log lines once, and no gateway that was ended", async ({
  open,
}) => {
  const tenant = await open();
  await running(tenant);
  await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  const { processId } = await running(tenant);
  await post(tenant, "/say", `last words of ${TOKEN}`);
  await crash(tenant);
  await running(tenant);
  await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  await running(tenant);
  const [died, ...others] = await gatewayEnds(tenant);
  expect(died).toMatchObject({ event: "gateway.died", process: processId });
  expect(died?.log.at(-1)).toBe("last words of [secret]");
  expect(others).toEqual([]);
});
