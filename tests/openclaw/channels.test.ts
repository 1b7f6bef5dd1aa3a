/**
 * Deliveries to the real OpenClaw: hooks, and a Telegram bot in webhook mode. They are sent to the gateway's port, as the tenant's Worker does, or
 * to the tenant's door.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { createdDoor } from "#workers/contracts/api/tenants/doors.ts";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import { DURABLE_HEADER, DURABLE_VALUE } from "#workers/contracts/tenant/inbox.ts";
import { deliveryKey } from "#workers/tenant/container/openclaw/deliveries/secrets.mjs";
import { call, loggedIn } from "../testing/http.ts";
import { sql } from "../testing/sql.ts";
import { ACME, ADA, LiveTenant, PATIENCE_MS } from "./testing/live-tenant.ts";
import { TelegramApi } from "./testing/telegram-api.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;
const CUSTOMER = { id: 4242, first_name: "Ada" };
const BOT_TOKEN = "7000000001:AAtest_token-abc";
const ANSWER = expect.stringContaining("This is a mock of openai");
const HOOKS = "hooks.tenantry.localhost";
const DASHBOARD = "dash.tenantry.localhost";
const ROOT = "root@tenantry.example";
const TELEGRAM_HEADER = "x-telegram-bot-api-secret-token";

let directory: string;
let tenant: LiveTenant;
let telegram: TelegramApi;
let key: string;
/** Of Telegram's door. */
let door: { url: string; secretToken: string };

/** Sends a delivery to the gateway's port. */
function deliver(path: string, headers: Record<string, string>, body: string): Promise<Response> {
  const address = `http://127.0.0.1:${tenant.gateways()[0]?.port}${path}`;
  return fetch(address, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}
const deliverUpdate = (body: string, secret = key) => deliver("/telegram-webhook", { [TELEGRAM_HEADER]: secret }, body);

/** Creates a door for Telegram. */
async function createDoor(): Promise<typeof door> {
  const query =
    "select i.id from tenantry.instances i join tenantry.clients c on c.id = i.client_id where c.slug = 'acme'";
  const [instance] = z.array(z.object({ id: z.string() })).parse(await sql(tenant.edge, query));
  const answer = await call(tenant.edge, DASHBOARD, `/api/instances/${instance?.id}/doors`, {
    method: "POST",
    headers: {
      ...(await loggedIn(tenant.edge, ROOT, DASHBOARD)),
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ kind: "telegram", name: "telegram" }),
  });
  expect(answer).toMatchObject({ status: 201 });
  const { url, generated } = createdDoor.parse(JSON.parse(answer.body));
  // Telegram requires HTTPS, which the edge does not have.
  return { url: `https://${HOOKS}${new URL(url).pathname}`, secretToken: generated.secretToken ?? "" };
}

/** Connects the tenant's channels, and waits for the gateway that has them. */
async function connect(channels: Channel[]): Promise<void> {
  const [before] = tenant.gateways();
  const authorization = `Bearer ${await tenant.output("invalidateToken")}`;
  const body = JSON.stringify({ channels });
  const order = { method: "PUT", headers: { authorization, "content-type": "application/json" }, body };
  expect(await call(tenant.edge, "_dispatch.tenantry.localhost", "/_channels/acme", order)).toMatchObject({
    status: 204,
  });
  await expect
    .poll(() => tenant.gateways().map(({ pid }) => pid), { timeout: PATIENCE_MS, interval: 200 })
    .not.toContain(before?.pid);
  await tenant.running();
}

/** Returns the files of the tenant's container that contain a text. */
function filesWith(text: string): string[] {
  const containers = join(tenant.edge.directory, "containers");
  return readdirSync(containers, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.parentPath.includes("/disk/workspace"))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => readFileSync(path, "latin1").includes(text));
}

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-channels-"));
    telegram = await TelegramApi.open(BOT_TOKEN, async ({ url, ...request }) => {
      return (await call(tenant.edge, HOOKS, new URL(url).pathname, { method: "POST", ...request })).status;
    });
    tenant = await LiveTenant.open(PROGRAM ?? "", directory);
    key = deliveryKey(tenant.binding("GATEWAY_TOKEN"));
    door = await createDoor();
  });
  afterAll(async () => {
    telegram.close();
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
    const { page, context } = await tenant.enter(ADA);
    await tenant.configure(page, { channels: { telegram: { dmPolicy: "open", allowFrom: ["*"] } } });
    await context.close();
    const { url, secretToken } = door;
    await connect([{ kind: "telegram", url, secrets: { botToken: BOT_TOKEN, secretToken }, apiRoot: telegram.url }]);
    await expect.poll(() => telegram.webhook, { timeout: PATIENCE_MS, interval: 200 }).toBeDefined();
    expect(telegram.webhook).toMatchObject({ url, secretToken });

    const first = JSON.stringify(telegram.write(CUSTOMER, "Hello"));
    for (const wrong of ["", "wrong", secretToken]) expect((await deliverUpdate(first, wrong)).status).toBe(401);
    const accepted = await deliverUpdate(first);
    expect([accepted.status, accepted.headers.get(DURABLE_HEADER)]).toEqual([200, DURABLE_VALUE]);
    const answered = (count: number) =>
      expect.poll(() => telegram.sent.length, { timeout: PATIENCE_MS, interval: 200 }).toBe(count);
    await answered(1);
    expect(telegram.sent[0]).toMatchObject({ chat: { id: CUSTOMER.id } });

    // Telegram repeats an update whose acceptance it has not seen, and sends another in the same chat.
    telegram.write(CUSTOMER, "Are you there?");
    expect(await telegram.deliver()).toEqual([200, 200]);
    await answered(2);
    expect(telegram.sent.map(({ text }) => text)).toEqual([ANSWER, ANSWER]);
    expect(telegram.calls).not.toContain("getUpdates");
    expect(telegram.calls).not.toContain("deleteWebhook");
    expect([...telegram.unknown]).toEqual([]);
    for (const secret of [key, BOT_TOKEN, secretToken]) expect(filesWith(secret)).toEqual([]);
  });

  test("sleeps with a channel in webhook mode, and wakes for a message, which is answered", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "5" });
    await tenant.running();
    await expect.poll(() => tenant.gateways().length, { timeout: PATIENCE_MS, interval: 500 }).toBe(0);
    const { length } = telegram.sent;
    telegram.write(CUSTOMER, "Good morning");
    expect(await telegram.deliver()).toEqual([200]);
    await expect.poll(() => telegram.sent.length, { timeout: 2 * PATIENCE_MS, interval: 500 }).toBe(length + 1);
    expect(telegram.calls).not.toContain("getUpdates");
  });

  test("disconnects the channel, and keeps the tenant's settings of it", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "600" });
    await tenant.running();
    await connect([]);
    const { page, context } = await tenant.enter(ADA);
    expect(await tenant.config(page)).toMatchObject({ channels: { telegram: { dmPolicy: "open", allowFrom: ["*"] } } });
    expect((await deliverUpdate("{}")).status).toBe(404);
    await context.close();
  });
});
