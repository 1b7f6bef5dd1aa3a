/** The gateway's own work, which sleep does not interrupt. */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Inside } from "@tenantry/edge/testing/runtime";
import { describe, expect } from "vitest";
import { type Plan, planVariables } from "#domain/plans/plan.ts";
import { CHANNELS_PATH, type Channel } from "#workers/contracts/tenant/channels.ts";
import { CUT_PATH, TICK_PATH } from "#workers/contracts/tenant/internal.ts";
import { startAiGateway } from "../model-calls/testing/test-ai-gateway.ts";
import { adminLog, running, statusOf } from "../testing/backup-tenant.ts";
import { WORK } from "../testing/engine-proxy.ts";
import { eventually, referenceGateway, scriptedGateway, type Tenant } from "../testing/harness.ts";
import { asleep, gatewayOf, isAsleep, keptNotes } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

// Each test has its own tenant and mostly waits, so some run concurrently.

/** Sleeps after two seconds, wakes three seconds before a job, and sleeps when a job is at least eight seconds away. */
const quick = { SLEEP_AFTER_SECONDS: "2", WAKE_LEAD_SECONDS: "3" };

const test = base.extend("open", ({ openTenant }) => {
  return (gateway = referenceGateway, bindings: Record<string, string> = {}) =>
    openTenant(gateway, { bindings: { ...quick, ...bindings } });
});

/** Sends work to a running gateway. */
async function sendWork(tenant: Tenant, path: string, body?: unknown): Promise<void> {
  await running(tenant);
  const sent = await tenant.fetch(path, { method: "POST", ...(body !== undefined && { body: JSON.stringify(body) }) });
  expect(sent.status).toBeLessThan(300);
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const schedule = (tenant: Tenant, seconds: number, forMs = 0): Promise<void> =>
  sendWork(tenant, "/api/jobs", { at: inSeconds(seconds), text: "done", forMs });

/** Counts an event in the log. @param reason of `sleep.postponed` events */
async function countEvents(tenant: Tenant, event: string, reason?: string): Promise<number> {
  const { lines }: { lines: string[] } = JSON.parse(await adminLog(tenant));
  const is = `{"event":"${event}"${reason === undefined ? "" : `,"reason":"${reason}"`}`;
  return lines.filter((line) => line.includes(is)).length;
}
const waitForEvent = (tenant: Tenant, event: string, reason?: string) =>
  eventually(async () => (await countEvents(tenant, event, reason)) > 0);
const POSTPONED = "sleep.postponed";

test.concurrent("does not interrupt a busy gateway, sleeps when it is done, and logs it once", async ({ open }) => {
  const tenant = await open();
  await schedule(tenant, 0, 10_000);
  const gateway = gatewayOf(tenant);
  await waitForEvent(tenant, POSTPONED, "busy");
  await delay(5_000);
  expect(gatewayOf(tenant)).toBe(gateway);
  await asleep(tenant);
  expect(await countEvents(tenant, POSTPONED, "busy")).toBe(1);
  await running(tenant);
  expect(await keptNotes(tenant)).toEqual(new Set(["done"]));
});

describe.concurrent("a job that is due during sleep", () => {
  test("wakes it in time, and it sleeps again afterwards", async ({ open }) => {
    const tenant = await open();
    await schedule(tenant, 25, 2_000);
    await asleep(tenant);
    // The container ends a moment before its Worker notices.
    await eventually(async () => /sleep\.begun\\",\\"wakesAt/.test(await adminLog(tenant)));
    const { sandbox, sleep: { remainingSeconds, nextJobAt = "", wakesAt = "" } = {} } = await statusOf(tenant);
    expect([sandbox, remainingSeconds, Date.parse(nextJobAt) - Date.parse(wakesAt)]).toEqual([
      "asleep",
      undefined,
      3_000,
    ]);
    await eventually(() => tenant.processes("gateway").length === 1);
    await asleep(tenant);
    await waitForEvent(tenant, "sleep.ended");
    await running(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["done"]));
  });

  test("wakes it when the Worker started cold meanwhile", async ({ open }) => {
    const tenant = await open();
    await schedule(tenant, 25);
    await asleep(tenant);
    await tenant.restartWorker();
    expect(isAsleep(tenant)).toBe(true);
    await eventually(() => tenant.processes("gateway").length === 1);
    await asleep(tenant);
    await running(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["done"]));
  });

  test("keeps it awake when the sleep would be too short", async ({ open }) => {
    const tenant = await open(referenceGateway, { WAKE_LEAD_SECONDS: "10" });
    await schedule(tenant, 12);
    const gateway = gatewayOf(tenant);
    await waitForEvent(tenant, POSTPONED, "job");
    expect(gatewayOf(tenant)).toBe(gateway);
    await asleep(tenant);
    await running(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["done"]));
  });

  test("does not wake a tenant that is not routable", async ({ open }) => {
    const tenant = await open();
    await schedule(tenant, 35);
    await asleep(tenant);
    expect((await tenant.fetch(CUT_PATH, { method: "POST", body: '{"routable":false}' })).status).toBe(204);
    await waitForEvent(tenant, "sleep.job-missed");
    expect(await countEvents(tenant, "sleep.ended")).toBe(0);
    expect(isAsleep(tenant)).toBe(true);
  });
});

describe.concurrent("a connected channel", () => {
  test("keeps it awake until it disconnects", async ({ open }) => {
    const tenant = await open();
    await sendWork(tenant, "/api/channels", { connected: 2 });
    const gateway = gatewayOf(tenant);
    await waitForEvent(tenant, POSTPONED, "channels");
    expect((await statusOf(tenant)).sleep).toEqual({
      afterSeconds: 2,
      remainingSeconds: 0,
      withChannels: false,
      keptAwake: { reason: "channels", details: "2 connected" },
    });
    await delay(5_000);
    expect(gatewayOf(tenant)).toBe(gateway);
    expect(await countEvents(tenant, POSTPONED, "channels")).toBe(1);
    await sendWork(tenant, "/api/channels", { connected: 0 });
    await asleep(tenant);
  });

  test("does not keep it awake when the plan excludes it, or the tenant is not routable", async ({ open }) => {
    const free = await open(referenceGateway, { SLEEP_WITH_CHANNELS: "1" });
    await sendWork(free, "/api/channels", { connected: 2 });
    await asleep(free);
    const frozen = await open();
    await sendWork(frozen, "/api/channels", { connected: 2 });
    await waitForEvent(frozen, POSTPONED, "channels");
    await frozen.fetch(CUT_PATH, { method: "POST", body: '{"routable":false}' });
    await asleep(frozen);
  });
});

test.concurrent("wakes for a socket channel once, when a plan begins to keep it connected", async ({ open }) => {
  const tenant = await open(referenceGateway, { SLEEP_WITH_CHANNELS: planVariables("free").SLEEP_WITH_CHANNELS ?? "" });
  const tick = async () => {
    const body = JSON.stringify({ scheduledTime: new Date().toISOString() });
    expect((await tenant.fetch(TICK_PATH, { method: "POST", body })).status).toBe(204);
  };
  const changePlan = (plan: Plan) =>
    tenant.restartWorker({ SLEEP_WITH_CHANNELS: planVariables(plan).SLEEP_WITH_CHANNELS ?? "" });
  const irc: Channel = { kind: "irc", secrets: {}, settings: { server: "ircs://irc.example", nick: "bot" } };
  const order = { method: "PUT", body: JSON.stringify({ channels: [irc] }) };
  expect((await tenant.fetch(CHANNELS_PATH, order)).status).toBe(204);
  await running(tenant);
  await tick();
  await asleep(tenant);
  await changePlan("pro");
  expect(isAsleep(tenant)).toBe(true);
  await tick();
  await eventually(() => tenant.processes("gateway").length === 1);
  await sendWork(tenant, "/api/channels", { connected: 1 });
  await waitForEvent(tenant, POSTPONED, "channels");
  await changePlan("free");
  await asleep(tenant);
});

describe.concurrent("a gateway that does not report its work", () => {
  test("sleeps, but not while its processes are busy", async ({ open }) => {
    const tenant = await open(scriptedGateway());
    await sendWork(tenant, "/spin?ms=15000");
    const gateway = gatewayOf(tenant);
    await waitForEvent(tenant, POSTPONED, "busy");
    expect(gatewayOf(tenant)).toBe(gateway);
    await asleep(tenant);
  });

  test("sleeps, but not while it waits for a model, unless the client has disconnected", async ({
    open,
    onTestFinished,
  }) => {
    const aiGateway = await startAiGateway();
    onTestFinished(() => aiGateway.stop());
    const called = new Promise<void>((resolve) => {
      // Never responds.
      aiGateway.respond = () => resolve();
    });
    const bindings = {
      AI_GATEWAY_URL: aiGateway.url,
      CF_AIG_AUTHORIZATION: "ai-token",
      CF_ACCOUNT_ID: "a",
      AI_GATEWAY_ID: "g",
    };
    const tenant = await open(scriptedGateway(), bindings);
    await running(tenant);
    const gateway = gatewayOf(tenant);
    const [variable = ""] = /(?<=\bAI_GATEWAY_URL=)[^\0]+/.exec(readFileSync(`/proc/${gateway}/environ`, "utf8")) ?? [];
    const inside = new Inside(gateway);
    onTestFinished(() => inside.close());
    const address = await inside.reach(variable);
    const leaving = new AbortController();
    const asking = fetch(`${address}/v1/a/g/compat/chat/completions`, { method: "POST", signal: leaving.signal });
    asking.catch(() => {});
    await called;
    await waitForEvent(tenant, POSTPONED, "busy");
    await delay(5_000);
    expect(gatewayOf(tenant)).toBe(gateway);
    leaving.abort();
    await asleep(tenant);
  });

  test("sleeps when it never responds", async ({ open }) => {
    const tenant = await open(scriptedGateway());
    await sendWork(tenant, "/mute");
    await asleep(tenant);
  });

  test("sleeps after several attempts when it cannot be reached", async ({ openProxied }) => {
    const { tenant, proxy } = await openProxied(undefined, { bindings: quick });
    proxy.fail(WORK);
    await running(tenant);
    await asleep(tenant);
    expect(proxy.calls.filter((call) => call === WORK)).toHaveLength(3);
    expect(await countEvents(tenant, POSTPONED, "no answer")).toBe(1);
  });
});
