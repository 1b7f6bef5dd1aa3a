/**
 * Deliveries to the real OpenClaw: hooks, and a Telegram bot in webhook mode. They are sent to the gateway's port, as the tenant's Worker does, or
 * to the tenant's door.
 *
 * `TENANTRY_ROUNDS` is the number of measurements; default 1.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DURABLE_HEADER, DURABLE_VALUE, inboxPage } from "#workers/contracts/tenant/inbox.ts";
import { deliveryKey } from "#workers/tenant/container/openclaw/deliveries/secrets.mjs";
import { call, everyMinute, loggedIn } from "../testing/http.ts";

import { filesWith } from "./testing/container-files.ts";
import { callDashboard, clientId, connect, order } from "./testing/dashboard.ts";
import { ACME, ADA, LiveTenant } from "./testing/live-tenant.ts";
import { PATIENCE_MS } from "./testing/page.ts";
import { quartiles } from "./testing/summary.ts";
import { BOT_TOKEN, CUSTOMER, OTHER_CUSTOMER, TelegramBot } from "./testing/telegram-bot.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;
const ROUNDS = Number(process.env.TENANTRY_ROUNDS ?? 1);
const ANSWER = expect.stringContaining("This is a mock of openai");
const TELEGRAM_HEADER = "x-telegram-bot-api-secret-token";

let directory: string;
let tenant: LiveTenant;
let bot: TelegramBot;
let key: string;

/** Sends a delivery to the gateway's port. */
async function deliver(path: string, headers: Record<string, string>, body: string): Promise<Response> {
  const address = `${await tenant.ownUrl()}${path}`;
  return fetch(address, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}
const deliverUpdate = (body: string, secret = key) => deliver("/telegram-webhook", { [TELEGRAM_HEADER]: secret }, body);

/**
 * Ends the gateway and its children: by default as the kernel does when memory is short. After three such ends within five minutes OpenClaw starts no
 * channel for five minutes (docs/gateway/restart-recovery.md).
 */
function kill(signal: NodeJS.Signals = "SIGKILL"): number {
  const [gateway] = tenant.gateways();
  if (gateway === undefined) throw new Error("there is no gateway");
  process.kill(-gateway.group, signal);
  return gateway.pid;
}

/** Puts the tenant to sleep. */
const sleep = () =>
  expect
    .poll(async () => (await order(tenant, "POST", "/_sleep/acme", {})).status, {
      timeout: PATIENCE_MS,
      interval: 1_000,
    })
    .toBe(200);

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-channels-"));
    tenant = await LiveTenant.open(PROGRAM ?? "", directory);
    key = deliveryKey(tenant.binding("GATEWAY_TOKEN"));
  });
  afterAll(async () => {
    bot?.api.close();
    await tenant?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("starts a turn for a hook with the delivery key, once per idempotency key", async () => {
    const body = JSON.stringify({ message: "The build has failed." });
    const hook = (headers: Record<string, string>) => deliver("/hooks/agent", headers, body);
    const delivery = { authorization: `Bearer ${key}`, "idempotency-key": "event-1" };
    for (const headers of [
      {},
      { authorization: "Bearer wrong" },
      { authorization: `Bearer ${tenant.binding("GATEWAY_TOKEN")}` },
    ])
      expect((await hook(headers)).status).toBe(401);
    const user = { ...(await loggedIn(tenant.edge, ADA, ACME)), ...delivery, "content-type": "application/json" };
    expect((await call(tenant.edge, ACME, "/hooks/agent", { method: "POST", headers: user, body })).status).toBe(401);
    const before = (await tenant.modelCalls()).length;
    let answer: unknown;
    // As the inbox does, since OpenClaw refuses turns with 502 or 503 while it completes its start.
    const accepted = async () => {
      const response = await hook(delivery);
      answer = await response.json();
      return response.status;
    };
    await expect.poll(accepted, { timeout: PATIENCE_MS, interval: 1_000 }).toBe(200);
    expect(await (await hook(delivery)).json()).toEqual(answer);
    await expect
      .poll(async () => (await tenant.modelCalls()).length, { timeout: PATIENCE_MS, interval: 500 })
      .toBeGreaterThan(before);
  });

  test("answers a Telegram message by webhook, once, without polling", async () => {
    bot = await TelegramBot.open(tenant);
    const { api, door } = bot;
    expect(api.webhook).toMatchObject(door);
    const first = JSON.stringify(bot.write("Hello"));
    for (const wrong of ["", "wrong", door.secretToken]) expect((await deliverUpdate(first, wrong)).status).toBe(401);
    const accepted = await deliverUpdate(first);
    expect([accepted.status, accepted.headers.get(DURABLE_HEADER)]).toEqual([200, DURABLE_VALUE]);
    await bot.answered();

    // Telegram repeats an update whose acceptance it has not seen, and sends another in the same chat.
    bot.write("Are you there?");
    expect(await api.deliver()).toEqual([200, 200]);
    await bot.answered();
    expect(api.sent.map(({ text }) => text)).toEqual([ANSWER, ANSWER]);
    expect(api.calls).not.toContain("getUpdates");
    expect(api.calls).not.toContain("deleteWebhook");
    expect([...api.unknown]).toEqual([]);
    for (const secret of [key, BOT_TOKEN, door.secretToken]) expect(filesWith(tenant, secret)).toEqual([]);
  });

  test("sleeps with a channel in webhook mode, wakes for a message, and answers it as soon as a start and a turn take", async ({
    task,
  }) => {
    const ratios: number[] = [];
    const rounds: object[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await sleep();
      const sent = Date.now();
      bot.write("Good morning");
      await bot.api.deliverAll();
      const woken = await bot.started(undefined);
      await bot.answered();
      const wake = Date.now() - sent;
      // The same without the platform: from the process's begin to readiness, and a message to the gateway's port.
      const killed = kill("SIGTERM");
      const [, own] = await Promise.all([tenant.running(), bot.started(killed)]);
      const begun = Date.now();
      // As at a wake-up, OpenClaw refuses messages until its channel is ready.
      const update = JSON.stringify(bot.write("Good evening"));
      const status = async () => (await deliverUpdate(update)).status;
      await expect.poll(status, { timeout: PATIENCE_MS, interval: 20 }).toBe(200);
      await bot.answered();
      const turn = Date.now() - begun;
      await bot.api.deliverAll();
      const start = own.ready - own.begun;
      rounds.push({ wake, start, turn, process: Math.round(woken.begun - sent), ready: woken.ready - sent });
      ratios.push(wake / (start + turn));
    }
    expect(bot.api.calls).not.toContain("getUpdates");
    task.meta.figures = [
      `Sleeping tenant to answer: ${quartiles(ratios)} times the gateway's own start and turn; ms: ${JSON.stringify(rounds)}`,
    ];
  });

  // One kill: OpenClaw starts no channels for five minutes after three unclean starts in five minutes, of which the sleep before was one.
  test("answers messages once and in order when the gateway is killed while it answers, and just before a message", async () => {
    const typing = new Promise<number>((resolve) => {
      bot.api.onCall = (method) => {
        if (method !== "sendChatAction") return;
        bot.api.onCall = () => {};
        resolve(kill());
      };
    });
    bot.write("Interrupted");
    await bot.api.deliverAll();
    await typing;
    for (const from of [CUSTOMER, OTHER_CUSTOMER]) for (const text of ["First", "Second"]) bot.write(text, from);
    await bot.api.deliverAll();
    // No vendor and no person calls the tenant again.
    await everyMinute(tenant.edge);
    await bot.answered();
  });

  test("answers messages once and in order that arrive during a change of the plan, and back", async () => {
    for (const plan of ["pro", "basic"]) await bot.writeDuring(tenant.deploy(plan), `During ${plan}`);
    await bot.answered();
  });

  test("stores no message while the tenant is frozen, which Telegram repeats, and answers earlier and later ones after the resume", async () => {
    await sleep();
    const id = await clientId(tenant);
    bot.write("Before");
    await bot.api.deliverAll();
    // The gateway is starting.
    expect(await callDashboard(tenant, "POST", `/client/${id}/freeze`, {})).toMatchObject({ status: 200 });
    expect(await order(tenant, "GET", "/_invalidate/acme")).toMatchObject({ status: 200 });
    const { length } = bot.api.answers;
    bot.write("Meanwhile");
    const delivered = bot.api.deliverAll();
    await expect.poll(() => bot.api.answers.length, { timeout: PATIENCE_MS }).toBeGreaterThan(length + 1);
    expect(new Set(bot.api.answers.slice(length))).toEqual(new Set([404]));
    expect(await callDashboard(tenant, "POST", `/client/${id}/resume`)).toMatchObject({ status: 200 });
    expect(await order(tenant, "GET", "/_invalidate/acme")).toMatchObject({ status: 200 });
    await delivered;
    expect(bot.api.answers.at(-1)).toBe(200);
    await bot.answered();
    const page = inboxPage.parse(JSON.parse((await order(tenant, "GET", "/_inbox/acme")).body));
    expect(page.status).toMatchObject({ pending: 0, dead: 0 });
  });

  test("disconnects the channel, and keeps the tenant's settings of it", async () => {
    await connect(tenant, []);
    const { page, context } = await tenant.enter(ADA);
    expect(await tenant.config(page)).toMatchObject({ channels: { telegram: { dmPolicy: "open", allowFrom: ["*"] } } });
    expect((await deliverUpdate("{}")).status).toBe(404);
    await context.close();
    // No answer came late.
    await bot.answered();
  });
});
