/** Deliveries to webhooks of ADMINs. */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { authorityExtensions, issueCertificate, serverExtensions } from "@tenantry/edge/testing/certificate";
import { listen } from "@tenantry/std/listening";
import { signWebhook, verifyWebhook } from "@tenantry/webhooks";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeSettings, createSettings, findSettings } from "#database/notifications/settings.ts";
import { openAs } from "#database/testing/as-caller.ts";
import { insertClient, insertClientUser } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
import { openNotificationWebhook, sealNotificationWebhook } from "#workers/shared/doors/notification-webhook.ts";
import { TaskError } from "../task.ts";
import { distributeTask } from "./distribute.ts";
import { type PostOptions, webhookPoster } from "./post-webhook.ts";
import { webhookTask } from "./webhook.ts";

const HOST = "hooks.tenant.example";
const KEYS = { used: "k".repeat(48) };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Heard {
  headers: Headers;
  body: string;
}

let database: TestDatabase;
let service: Kysely<DB>;
let receiver: { port: number; ca: string; heard: Heard[]; next: { status: number; location?: string }[]; stop(): void };
beforeAll(async () => {
  database = await startTestDatabase();
  service = openAs(database, "service");
  receiver = await startReceiver();
});
afterAll(async () => {
  receiver.stop();
  await service.destroy();
  await database.stop();
});
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.next.length = 0;
});

async function startReceiver(): Promise<typeof receiver> {
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { privateKey: serverKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const terms = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
  const issuer = { name: "Authority", key };
  const ca = issueCertificate(key, { ...terms, name: "Authority", extensions: authorityExtensions(key) }, issuer);
  const cert = issueCertificate(
    serverKey,
    { ...terms, name: HOST, extensions: serverExtensions(HOST, serverKey, key) },
    issuer,
  );
  const heard: Heard[] = [];
  const next: { status: number; location?: string }[] = [];
  const options = { key: serverKey.export({ type: "pkcs8", format: "pem" }), cert };
  const server = createServer(options, (request, response) => {
    void text(request).then((body) => {
      heard.push({ headers: new Headers(request.headers as Record<string, string>), body });
      const { status, location } = next.shift() ?? { status: 204 };
      response.writeHead(status, location === undefined ? {} : { location }).end("what the receiver answers");
    });
  });
  return { port: await listen(server, { port: 0 }), ca, heard, next, stop: () => server.close() };
}

const toReceiver = (): PostOptions => ({
  ca: receiver.ca,
  addressesOf: async () => [{ address: "127.0.0.1", family: 4 }],
  isAllowed: () => true,
});

const query = async (statement: string, values: unknown[] = []) => (await database.pool.query(statement, values)).rows;

/** An ADMIN whose invoices arrive by webhook, and a notification with its delivery. */
async function prepared(slug: string, url = `https://${HOST}:${receiver.port}/in?token=t`) {
  const clientId = await insertClient(database.db, { slug, name: "Acme" });
  const userId = await insertClientUser(database.db, {
    client_id: clientId,
    email: `ada@${slug}.test`,
    status: "validated",
  });
  const store = async () => {
    const sealed = Buffer.from(await sealNotificationWebhook(KEYS, userId, { url, secret: SECRET }));
    const webhook = { host: new URL(url).host, credentials: sealed };
    await createSettings(database.db, userId);
    await changeSettings(database.db, userId, { choices: { invoice: { mail: "off", webhook: true } }, webhook });
  };
  await store();
  let count = 0;
  const note = async () => {
    const subject = `invoice:${++count}`;
    const data = { from: "2026-10-01", to: "2026-10-31", total_micros: 1_000_000, currency: "USD" };
    await query("select tenantry.note_occurrence($1, 'invoice', $2, $3)", [clientId, subject, data]);
    const [{ id }] = await query("select id from tenantry.notifications where client_id = $1 and subject = $2", [
      clientId,
      subject,
    ]);
    await run(distributeTask, id);
    const [delivery] = await query(
      "select id, channel from tenantry.notification_deliveries where notification_id = $1",
      [id],
    );
    return delivery as { id: string; channel: string };
  };
  return { clientId, userId, store, note };
}

const run = (task: { run: typeof distributeTask.run }, id: string, { isLast = false } = {}) =>
  task.run({ id }, { db: service, log: () => undefined, signal: new AbortController().signal, attempt: 1, isLast });

/** Sends as the service does; the dashboard's signature is made here. */
const send = (id: string, { isLast = false, options = toReceiver() } = {}) => {
  const task = webhookTask(async ({ id: webhookId, client_user_id, credentials, body }) => {
    const { url, secret } = await openNotificationWebhook(KEYS, client_user_id, credentials);
    const headers = new Headers({ "webhook-id": webhookId });
    const request = { method: "POST", subpath: "", query: new URLSearchParams(), headers, body: Buffer.from(body) };
    return { url, headers: await signWebhook("standard-webhooks", { secret }, request, { now: Date.now() }) };
  }, webhookPoster(options));
  return run(task, id, { isLast });
};

const stateOf = async (id: string) =>
  (await query("select state, attempts, answer from tenantry.notification_deliveries where id = $1", [id]))[0];
const mailsOf = (userId: string) => query("select kind, data from tenantry.mails where client_user_id = $1", [userId]);

test("a notification is signed, and is not sent again after it was accepted", async () => {
  const { note, userId } = await prepared("signed");
  const { id, channel } = await note();
  expect(channel).toBe("webhook");
  await send(id);
  await send(id);
  expect(receiver.heard).toHaveLength(1);
  const [heard] = receiver.heard;
  const request = {
    method: "POST",
    subpath: "",
    query: new URLSearchParams(),
    headers: heard?.headers ?? new Headers(),
    body: new TextEncoder().encode(heard?.body),
  };
  const options = { now: Date.now(), keys: () => Promise.reject(new Error("none")) };
  expect(await verifyWebhook("standard-webhooks", { secret: SECRET }, request, options)).toMatchObject({
    outcome: "verified",
    eventId: id,
  });
  expect(JSON.parse(heard?.body ?? "")).toMatchObject({
    type: "notification.invoice",
    data: { id, client: { slug: "signed", name: "Acme" }, subject: "New invoice for Acme" },
  });
  expect(await stateOf(id)).toEqual({ state: "sent", attempts: 1, answer: "The webhook returned HTTP 204." });
  expect(await mailsOf(userId)).toEqual([]);
});

test("attempts of one notification have one id, and their failure is stored without the answer's body", async () => {
  const { note, userId } = await prepared("retried");
  const { id } = await note();
  receiver.next.push({ status: 500 }, { status: 302, location: "https://169.254.169.254/" });
  await expect(send(id)).rejects.toThrow(TaskError);
  expect(await stateOf(id)).toEqual({ state: "queued", attempts: 1, answer: "The webhook returned HTTP 500." });
  expect((await findSettings(database.db, userId))?.failing_since).toBeInstanceOf(Date);
  await expect(send(id)).rejects.toThrow("HTTP 302");
  await send(id);
  expect(new Set(receiver.heard.map(({ headers }) => headers.get("webhook-id")))).toEqual(new Set([id]));
  expect(receiver.heard).toHaveLength(3);
  expect(await stateOf(id)).toMatchObject({ state: "sent", attempts: 3 });
  expect(await findSettings(database.db, userId)).toMatchObject({ failing_since: null, version: 2 });
});

test("the last attempt ends a delivery", async () => {
  const { note } = await prepared("last");
  const { id } = await note();
  receiver.next.push({ status: 500 });
  await expect(send(id, { isLast: true })).rejects.toThrow(TaskError);
  expect(await stateOf(id)).toMatchObject({ state: "failed" });
});

test("a webhook that fails for days is disabled, with one mail, and mails replace it until it is stored again", async () => {
  const { note, userId, store } = await prepared("disabled");
  const [first, second] = [await note(), await note()];
  receiver.next.push({ status: 500 }, { status: 500 }, { status: 500 });
  await expect(send(first.id)).rejects.toThrow(TaskError);
  await query(
    "update tenantry.notification_settings set failing_since = now() - interval '3 days' where client_user_id = $1",
    [userId],
  );
  await Promise.all([send(first.id), send(second.id)]);
  const states = await Promise.all([stateOf(first.id), stateOf(second.id)]);
  expect(states.map(({ state }) => state).every((state) => state === "failed" || state === "dropped")).toBe(true);
  expect(await mailsOf(userId)).toMatchObject([
    { kind: "webhook_disabled", data: { host: `${HOST}:${receiver.port}` } },
  ]);
  expect((await note()).channel).toBe("mail");
  await store();
  expect((await note()).channel).toBe("webhook");
});

test("410 disables a webhook at once", async () => {
  const { note, userId } = await prepared("gone");
  const { id } = await note();
  receiver.next.push({ status: 410 });
  await send(id);
  expect(await stateOf(id)).toMatchObject({ state: "failed" });
  expect((await findSettings(database.db, userId))?.disabled_at).toBeInstanceOf(Date);
});

test("a failure of a webhook that was replaced meanwhile does not count for the new one", async () => {
  const { note, userId, store } = await prepared("replaced");
  const { id } = await note();
  const options = toReceiver();
  options.addressesOf = async () => {
    await store();
    throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  };
  await expect(send(id, { options })).rejects.toThrow("cannot be reached (ENOTFOUND)");
  expect((await findSettings(database.db, userId))?.failing_since).toBeNull();
});

test.each([
  ["127.0.0.1", 4],
  ["10.0.0.1", 4],
  ["169.254.169.254", 4],
  ["::1", 6],
  ["fd00:ec2::254", 6],
  ["::ffff:127.0.0.1", 6],
])("a name that resolves to %s among others is refused after the resolution", async (address, family) => {
  const { note } = await prepared(`resolved-${address.replaceAll(/\W/g, "-")}x`);
  const { id } = await note();
  const addressesOf = async () => [
    { address: "93.184.215.14", family: 4 },
    { address, family },
  ];
  await expect(send(id, { options: { ca: receiver.ca, addressesOf } })).rejects.toThrow("not of the public internet");
  expect(receiver.heard).toEqual([]);
});

test.each(["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://localhost/", "http://example.com/"])(
  "%s is refused before any call",
  async (url) => {
    const outcome = await webhookPoster(toReceiver())({ url, headers: {} }, "{}", new AbortController().signal);
    expect(outcome.status).toBeUndefined();
    expect(outcome.answer).toMatch(
      /^The URL of the webhook must (begin with https|have a host of the public internet)/,
    );
  },
);

test("a webhook that does not respond ends in time", async () => {
  const options = { ...toReceiver(), answerMs: 50, addressesOf: () => new Promise<never>(() => undefined) };
  const signed = { url: `https://${HOST}/`, headers: {} };
  expect(await webhookPoster(options)(signed, "{}", new AbortController().signal)).toEqual({
    answer: "The webhook did not respond in time.",
  });
});

test.each([
  ["demoted", "update tenantry.client_users set role = 'BASE_USER' where id = $1"],
  ["unwanted", "update tenantry.notification_settings set choices = '{}' where client_user_id = $1"],
  [
    "removed",
    "update tenantry.notification_settings set webhook_host = null, credentials = null where client_user_id = $1",
  ],
])("nothing is sent for a user or webhook that is %s", async (slug, change) => {
  const { note, userId } = await prepared(slug);
  const { id } = await note();
  await query(change, [userId]);
  await send(id);
  expect(receiver.heard).toEqual([]);
  expect(await stateOf(id)).toMatchObject({ state: "dropped" });
});

test("without a connection to the dashboard nothing is sent, and the reason is the task's error", async () => {
  const { note } = await prepared("unsigned");
  const { id } = await note();
  await expect(run(webhookTask(undefined, webhookPoster()), id)).rejects.toThrow("LIVE_URL");
  expect(receiver.heard).toEqual([]);
});
