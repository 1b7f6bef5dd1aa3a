/** Notification settings of ADMINs, signatures of webhooks, and links that unsubscribe, over HTTP. */
import { createHash, randomBytes } from "node:crypto";
import { verifyWebhook } from "@tenantry/webhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { SIGN_NOTIFICATION_PATH, signedNotification } from "#workers/contracts/api/people/notification-signature.ts";
import { notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { LIVE_TOKEN } from "../../testing/start-dashboard.ts";

const SLUG = "acme";
const URL_OF_HOOK = "https://hooks.example.com/in?token=hidden";

let api: ApiUnderTest;
let clientId: string;
let userId: string;
beforeAll(async () => {
  api = await startApi();
  clientId = await insertClient(api.database.db, { slug: SLUG, name: "Acme <Co>", partner_id: api.partners.north });
  const instance = await insertInstance(api.database.db, clientId);
  const user = (who: string, role: string) =>
    insertClientUser(api.database.db, { client_id: clientId, email: `${who}@acme.test`, status: "validated", role }, [
      instance,
    ]);
  userId = await user("ada", "ADMIN");
  await user("bob", "ADMIN");
  await user("base", "BASE_USER");
});
afterAll(() => api?.stop());

const query = async (statement: string, values: unknown[] = []) =>
  (await api.database.pool.query(statement, values)).rows;

async function as(who: string, method: string, more = "", body?: unknown, headers: Record<string, string> = {}) {
  const path = `${consoleApi(SLUG)}/api/clients/${clientId}/notifications${more}`;
  const response = await api.fetch(path, {
    method,
    headers: { "content-type": "application/json", ...(await consoleLogin(SLUG, `${who}@acme.test`)), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("an ADMIN reads the defaults, changes own settings alone, and gets the webhook's secret once", async () => {
  const first = await as("ada", "GET");
  expect(first.body).toMatchObject({
    kinds: { not_running: { mail: "at_once", webhook: false }, new_version: { mail: "daily" } },
    webhook: null,
    version: 1,
  });
  const change = { kinds: { invoice: { mail: "off", webhook: true } }, webhook: { url: URL_OF_HOOK } };
  const changed = await as("ada", "PUT", "", change, { "if-match": '"1"' });
  expect(changed.body).toMatchObject({
    kinds: { invoice: { mail: "off", webhook: true }, restore: { mail: "at_once" } },
    webhook: { host: "hooks.example.com", failing_since: null, disabled_at: null },
    webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    version: 2,
  });
  const again = await as("ada", "GET");
  expect(again.body).toMatchObject({ kinds: { invoice: { mail: "off" } }, version: 2 });
  expect(JSON.stringify(again.body)).not.toMatch(/whsec_|hidden/);
  expect((await as("bob", "GET")).body).toMatchObject({ webhook: null, kinds: { invoice: { mail: "at_once" } } });
  const [{ credentials }] = await query("select credentials from tenantry.notification_settings");
  expect(credentials.includes("hidden")).toBe(false);
});

test("a change of another version is refused", async () => {
  const refused = await as("ada", "PUT", "", { kinds: {} }, { "if-match": '"1"' });
  expect([refused.status, refused.body.error]).toMatchObject([412, { code: "precondition_failed" }]);
});

test.each([
  "http://hooks.example.com/",
  "https://10.0.0.1/",
  "https://[::ffff:169.254.169.254]/",
  "https://metadata.google.internal/",
  "https://user:pass@hooks.example.com/",
  "ftp://hooks.example.com/",
  `https://hooks.example.com/${"a".repeat(2_100)}`,
])("a webhook at %s is refused", async (url) => {
  expect(await as("bob", "PUT", "", { webhook: { url } })).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request" } },
  });
});

test("a BASE_USER is refused, and a root changes nothing", async () => {
  for (const method of ["GET", "PUT"]) {
    const refused = await as("base", method, "", method === "PUT" ? { kinds: {} } : undefined);
    expect(refused).toMatchObject({ status: 403 });
  }
  const params = { client_id: clientId };
  expect((await api.call(notificationRoutes.getNotificationSettings, { as: "root", params })).body.webhook).toBeNull();
  const change = { as: "root", params, body: { kinds: {} } } as const;
  expect((await api.refused(notificationRoutes.setNotificationSettings, change)).status).toBe(403);
  expect((await api.refused(notificationRoutes.testNotifications, { as: "north", params })).status).toBe(403);
  expect((await api.refused(notificationRoutes.listNotificationDeliveries, { as: "south", params })).status).toBe(404);
});

test("a test is requested once a minute for its ADMIN, and roots read what was sent", async () => {
  for (let time = 0; time < 2; time += 1) expect((await as("ada", "POST", "/test")).status).toBe(202);
  const noted = await query("select id, client_user_id from tenantry.notifications where kind = 'test'");
  // The minute may have ended in between.
  expect(noted.length).toBeLessThanOrEqual(2);
  for (const { client_user_id } of noted) expect(client_user_id).toBe(userId);
  await query(
    "insert into tenantry.notification_deliveries (notification_id, client_user_id, channel, state) values ($1, $2, 'webhook', 'queued')",
    [noted[0].id, userId],
  );
  const params = { client_id: clientId };
  for (const root of ["root", "north"] as const) {
    const { body } = await api.call(notificationRoutes.listNotificationDeliveries, { as: root, params });
    expect(body.data).toMatchObject([
      { kind: "test", channel: "webhook", email: "ada@acme.test", subject: "Test notification of Acme <Co>" },
    ]);
  }
  expect((await as("bob", "GET", "/deliveries")).body.data).toHaveLength(1);
});

async function sign(order: object, token = LIVE_TOKEN) {
  return api.fetch(SIGN_NOTIFICATION_PATH, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(order),
  });
}

test("a notification is signed for the automation service alone, with its user's secret", async () => {
  const { body: changed } = await as("ada", "PUT", "", { webhook: { url: URL_OF_HOOK } });
  const [{ credentials }] = await query(
    "select credentials from tenantry.notification_settings where client_user_id = $1",
    [userId],
  );
  const order = {
    client_user_id: userId,
    credentials: credentials.toString("base64"),
    webhook_id: crypto.randomUUID(),
    body: '{"a":"ü"}',
  };
  const { url, headers } = signedNotification.parse(await (await sign(order)).json());
  expect(url).toBe(URL_OF_HOOK);
  const request = {
    method: "POST",
    subpath: "",
    query: new URLSearchParams(),
    headers: new Headers(headers),
    body: new TextEncoder().encode(order.body),
  };
  const options = { now: Date.now(), keys: () => Promise.reject(new Error("none")) };
  const secret = String(changed.webhook_secret);
  expect(await verifyWebhook("standard-webhooks", { secret }, request, options)).toMatchObject({
    outcome: "verified",
    eventId: order.webhook_id,
  });
  expect((await sign(order, "another-token-of-a-test")).status).toBe(401);
  expect((await sign({ ...order, client_user_id: crypto.randomUUID() })).status).toBe(409);
  expect((await sign({ ...order, credentials: "" })).status).toBe(409);
  expect((await sign({ body: 1 })).status).toBe(400);
});

async function link(kinds: string[], id = userId) {
  const token = randomBytes(32).toString("base64url");
  await query(
    "insert into tenantry.notification_unsubscribes (token_hash, client_user_id, kinds) values ($1, $2, $3)",
    [createHash("sha256").update(token).digest(), id, kinds],
  );
  return `/invitations/unsubscribe/${token}`;
}

const mailsOf = async (who: string) => {
  const { kinds } = (await as(who, "GET")).body as { kinds: Record<string, { mail: string }> };
  return Object.entries(kinds).flatMap(([kind, { mail }]) => (mail === "off" ? [kind] : []));
};

test("a link shows a form and changes nothing, and one POST of a mail service unsubscribes from its kinds alone", async () => {
  const [{ id: bob }] = await query("select id from tenantry.client_users where email = 'bob@acme.test'");
  const path = await link(["restore", "cap"], bob);
  const page = await api.fetch(path);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).toContain("Acme &lt;Co&gt;");
  expect(html).toContain("Backup restored");
  expect(html).not.toMatch(/<script|bob@|New invoice/);
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect(await mailsOf("bob")).toEqual([]);
  for (let time = 0; time < 2; time += 1) {
    const ended = await api.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect([ended.status, await ended.text()]).toEqual([200, expect.stringContaining("You are unsubscribed")]);
  }
  expect(await mailsOf("bob")).toEqual(["restore", "cap"]);
  const changes = await query(
    "select actor, client_id, after::text from tenantry.audit_log where entity = 'notification_settings' order by id",
  );
  expect(changes.map(({ actor }) => actor)).toContain("ada@acme.test");
  expect(changes.at(-1)).toMatchObject({ actor: "bob@acme.test", client_id: clientId });
  expect(JSON.stringify(changes)).not.toContain("credentials");
  expect(await mailsOf("ada")).toEqual(["invoice"]);
});

test("an unknown or changed token changes nothing", async () => {
  const before = await query("select * from tenantry.notification_settings order by client_user_id");
  const path = await link(["restore"]);
  for (const wrong of [`${path}x`, path.slice(0, -1), "/invitations/unsubscribe/x"])
    for (const method of ["GET", "POST"]) expect((await api.fetch(wrong, { method })).status).toBe(404);
  expect(await query("select * from tenantry.notification_settings order by client_user_id")).toEqual(before);
});

test("a link of a mail that replaces a disabled webhook ends the webhook of its kind too", async () => {
  await query(
    "update tenantry.notification_settings set failing_since = now(), disabled_at = now() where client_user_id = $1",
    [userId],
  );
  await api.fetch(await link(["invoice"]), { method: "POST" });
  expect((await as("ada", "GET")).body).toMatchObject({ kinds: { invoice: { mail: "off", webhook: false } } });
});
