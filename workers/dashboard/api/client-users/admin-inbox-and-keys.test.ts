import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { SESSION_MS } from "#workers/shared/access/console-ticket.ts";
import { openProviderKey } from "#workers/shared/doors/provider-key.ts";
import { AnsweringServer } from "../../testing/answering-server.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY } from "../../testing/start-dashboard.ts";

const KEY = "sk-proj-Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
const MESSAGE = "e9f0a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b";
const TS = "2026-11-03T07:20:00.000Z";
const HOSTILE = `<img src=x onerror=alert(1)>"'`;
const message = {
  ...{ id: MESSAGE, door: MESSAGE, kind: "slack", name: "one", eventId: HOSTILE, conversation: HOSTILE, bytes: 3 },
  ...{ state: "dead", attempts: 8, receivedAt: TS, changedAt: TS, failure: { reason: "status", status: 401 } },
};
const inbox = { messages: [message], next: "17", status: { pending: 0, dead: 1, limit: 1000 } };

const outside = new AnsweringServer();
const { requests: orders, answers } = outside;
let api: ApiUnderTest;
let tenants = 0;
let slug: string;
let instance: string;
let ada: string;
beforeAll(async () => {
  const url = await outside.start();
  const apis = JSON.stringify({ openai: `${url}/openai` });
  api = await startApi({ DISPATCH_URL: url, INVALIDATE_TOKEN: "token", PROVIDER_APIS: apis });
});
afterAll(async () => {
  await api?.stop();
  await outside.stop();
});
beforeEach(async () => {
  tenants += 1;
  slug = `acme-${tenants}`;
  ({ instance, admin: ada } = await tenant(slug));
  outside.reset();
  answers.set(`/_inbox/${slug}`, { body: inbox });
  answers.set("/openai/v1/models", { body: { data: [] } });
});

async function tenant(name: string) {
  const { db } = api.database;
  const client_id = await insertClient(db, { slug: name, name, partner_id: api.partners.north });
  const id = await insertInstance(db, client_id);
  const user = (who: string, role: string) =>
    insertClientUser(db, { client_id, email: `${who}@${name}.test`, role, status: "validated" }, [id]);
  return { instance: id, admin: await user("ada", "ADMIN"), base: await user("bob", "BASE_USER") };
}

interface Sent {
  who?: string;
  /** Where the user logged in. Default: the tenant. */
  at?: string;
  body?: unknown;
  headers?: Record<string, string>;
  now?: number;
}
const fetch = async (method: string, path: string, { who = "ada", at = slug, body, headers, now }: Sent = {}) => {
  return api.fetch(`${consoleApi(slug)}/api/instances/${instance}/${path}`, {
    method,
    headers: {
      ...(await consoleLogin(slug, `${who}@${at}.test`, { at, now })),
      ...(body !== undefined && { "content-type": "application/json" }),
      // Another one in each test, because of the rate limit.
      ...{ "cf-connecting-ip": `192.0.2.${tenants}`, "cf-ray": "ray-1", ...headers },
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
};
const reason = async (...sent: Parameters<typeof fetch>) => {
  const response = await fetch(...sent);
  return [response.status, errorBody.parse(await response.json()).error.reason];
};
const query = async (sql: string, ...values: unknown[]) => (await api.database.pool.query(sql, values)).rows;
const audited = (entity: string) =>
  query(
    `select actor, actor_kind, action, after, source, request_id from tenantry.audit_log
     where entity = $1 and client_id = (select client_id from tenantry.instances where id = $2) order by id`,
    entity,
    instance,
  );
const actor = () => ({ actor: `ada@${slug}.test`, actor_kind: "client_admin" });
const put = { body: { key: KEY } };

/** Every route for ADMINs alone. */
const ROUTES: readonly Parameters<typeof fetch>[] = [
  ["GET", "inbox"],
  ["GET", "inbox/export"],
  ["POST", "inbox/replay", { body: { all: true } }],
  ["POST", "inbox/drop", { body: { all: true } }],
  ["GET", "provider-keys"],
  ["PUT", "provider-keys/openai", put],
  ["DELETE", "provider-keys/openai"],
  ["GET", "egress"],
  ["PUT", "egress", { body: { policy: null } }],
  ["GET", "egress/hosts"],
  ["GET", "egress/secrets"],
  ["POST", "egress/secrets", { body: { name: "CRM", host: "crm.example.com", value: "s3cret" } }],
  ["DELETE", `egress/secrets/${MESSAGE}`],
];
let networks = 0;
/** Each time from another network, because of the rate limit. */
const refusedEverywhere = async (sent: Sent) => {
  const got = new Set<string>();
  networks += 1;
  const headers = { "cf-connecting-ip": `198.51.100.${networks}` };
  for (const [method, path, given] of ROUTES)
    got.add(String(await reason(method, path, { headers, ...given, ...sent })));
  return [...got];
};

test("an ADMIN lists, replays, drops and exports messages as an operator does, each with an entry in the audit log", async () => {
  const listed = doorRoutes.listInbox.answer.parse(await (await fetch("GET", "inbox?state=dead&limit=20")).json());
  expect(listed).toMatchObject({
    data: [{ id: MESSAGE, event_id: HOSTILE, state: "dead", failure: { reason: "status", status: 401 } }],
    ...{ pagination: { next: "17" }, inbox: { pending: 0, dead: 1, limit: 1000, oldest_at: null } },
  });
  answers.set(`/_inbox-replay/${slug}`, { body: { changed: 1 } });
  answers.set(`/_inbox-drop/${slug}`, { body: { changed: 4 } });
  answers.set(`/_inbox-export/${slug}`, { body: "{}\n" });
  expect(await (await fetch("POST", "inbox/replay", { body: { ids: [MESSAGE] } })).json()).toEqual({ changed: 1 });
  expect(await (await fetch("POST", "inbox/drop", { body: { all: true } })).json()).toEqual({ changed: 4 });
  const file = await fetch("GET", "inbox/export?state=dead", { headers: { "sec-fetch-site": "same-origin" } });
  expect([file.headers.get("content-type"), file.headers.get("content-disposition"), await file.text()]).toEqual([
    ...["application/x-ndjson", `attachment; filename="inbox-${slug}.jsonl"`, "{}\n"],
  ]);
  expect(orders).toEqual([
    ["GET", `/_inbox/${slug}?state=dead&limit=20`],
    ["POST", `/_inbox-replay/${slug}`, { ids: [MESSAGE] }],
    ["POST", `/_inbox-drop/${slug}`, { all: true }],
    ["GET", `/_inbox-export/${slug}?state=dead`],
  ]);
  const entry = { ...actor(), action: "update", source: `192.0.2.${tenants}`, request_id: "ray-1" };
  expect(await audited("inbox")).toEqual([
    { ...entry, after: { order: "replay", ids: [MESSAGE] } },
    { ...entry, after: { order: "drop", all: true } },
    { ...entry, after: { order: "export", state: "dead" } },
  ]);
  const kinds = await query("select kind from tenantry.events where data ->> 'instance_id' = $1 order by id", instance);
  expect(kinds.map(({ kind }) => kind)).toEqual([
    ...["instance.inbox_replay_ordered", "instance.inbox_drop_ordered", "instance.inbox_exported"],
  ]);
});

test("an ADMIN stores, replaces and deletes a key that the provider accepts, and no text has it", async () => {
  const stored = await fetch("PUT", "provider-keys/openai", put);
  const key = providerKeyRoutes.putProviderKey.answer.parse(await stored.json());
  expect(key).toMatchObject({ key_hint: "0123", state: "pushing", created_by: `ada@${slug}.test` });
  const [row] = await query("select credentials from tenantry.provider_keys where id = $1", key.id);
  expect((await openProviderKey({ used: DOORS_KEY }, key.id, row.credentials))?.key).toBe(KEY);
  answers.set("/openai/v1/models", { status: 401, body: { error: { message: `Incorrect API key: ${KEY}` } } });
  const refused = errorBody.parse(await (await fetch("PUT", "provider-keys/openai", put)).json()).error;
  expect([refused.reason, refused.message]).toEqual(["provider_key_rejected", expect.stringContaining("***")]);
  expect(refused.message).not.toContain(KEY);
  answers.set("/openai/v1/models", { body: { data: [] } });
  const second = await (await fetch("PUT", "provider-keys/openai", { body: { key: `${KEY}-new` } })).json();
  await query(
    "update tenantry.provider_keys set fault = 'rejected', last_error = $1, last_error_at = now() where instance_id = $2",
    HOSTILE,
    instance,
  );
  expect(await (await fetch("GET", "provider-keys")).json()).toEqual({
    data: [{ ...(second as object), state: "rejected", last_error: HOSTILE, last_error_at: expect.any(String) }],
  });
  expect((await fetch("DELETE", "provider-keys/openai")).status).toBe(204);
  expect(await reason("DELETE", "provider-keys/openai")).toEqual([404, "provider_key_not_found"]);
  expect(await audited("provider_keys")).toMatchObject(
    ["insert", "delete", "insert", "delete"].map((action) => ({ ...actor(), action, request_id: "ray-1" })),
  );
  const jobs = await query(
    "select kind, slug, requested_by from tenantry.jobs where instance_id = $1 and kind = 'push_provider_keys'",
    instance,
  );
  expect(jobs).toEqual(Array(3).fill({ kind: "push_provider_keys", slug, requested_by: `ada@${slug}.test` }));
  const kinds = await query("select kind from tenantry.events where data ->> 'instance_id' = $1 order by id", instance);
  expect(kinds.map(({ kind }) => kind)).toEqual([
    ...["provider_key.created", "provider_key.replaced", "provider_key.deleted"],
  ]);
  const tables = ["provider_keys", "audit_log", "events", "jobs"];
  const texts = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  expect(JSON.stringify([texts, api.logs])).not.toContain(KEY.slice(8, 40));
});

test("the address of an operator who stored a key is not shown", async () => {
  const sent = { as: "root" as const, params: { instance_id: instance, provider: "openai" }, ...put };
  await api.call(providerKeyRoutes.putProviderKey, sent);
  expect(await (await fetch("GET", "provider-keys")).json()).toMatchObject({ data: [{ created_by: "operator" }] });
});

test("a BASE_USER, a former ADMIN, a removed user, another tenant's user and an expired login get nothing", async () => {
  expect(await refusedEverywhere({ who: "bob" })).toEqual(["403,console_admin_required"]);
  orders.length = 0;
  await query("update tenantry.client_users set role = 'BASE_USER' where id = $1", ada);
  expect(await refusedEverywhere({})).toEqual(["403,console_admin_required"]);
  await query("delete from tenantry.client_users where id = $1", ada);
  expect(await refusedEverywhere({})).toEqual(["403,console_access_ended"]);
  await tenant(`${slug}-other`);
  expect(await refusedEverywhere({ at: `${slug}-other` })).toEqual(["401,console_session_missing"]);
  // The session is checked before the body.
  const expired = { now: Date.now() - SESSION_MS - 1 };
  expect(await refusedEverywhere(expired)).toEqual(["401,console_session_missing"]);
  expect(await reason("PUT", "provider-keys/openai", { ...expired, body: "{" })).toEqual([
    ...[401, "console_session_missing"],
  ]);
  expect(orders).toEqual([]);
  expect(await query("select from tenantry.provider_keys where instance_id = $1", instance)).toEqual([]);
  expect(await audited("inbox")).toEqual([]);
});

test("an ADMIN who is removed while the provider checks the key stores nothing", async () => {
  outside.meanwhile = () => query("delete from tenantry.client_users where id = $1", ada);
  expect(await reason("PUT", "provider-keys/openai", put)).toEqual([404, "instance_not_found"]);
  expect(orders).toEqual([["GET", "/openai/v1/models"]]);
  expect(await query("select from tenantry.provider_keys where instance_id = $1", instance)).toEqual([]);
});

test("refuses changes and exports from another page, and bodies that are not JSON", async () => {
  for (const origin of [`https://${slug}.example.test:8443`, "null", "https://evil.test"]) {
    for (const [method, path, given] of ROUTES) {
      if (method === "GET") continue;
      expect(await reason(method, path, { ...given, headers: { origin } })).toEqual([403, "foreign_origin"]);
    }
  }
  for (const site of ["cross-site", "same-site"]) {
    const { cookie = "" } = await consoleLogin(slug, `ada@${slug}.test`);
    const response = await api.fetch(`${consoleApi(slug)}/api/instances/${instance}/inbox/export`, {
      headers: { cookie, "sec-fetch-site": site },
    });
    expect(response.status).toBe(403);
  }
  const form = { ...put, headers: { "content-type": "text/plain" } };
  expect(await reason("PUT", "provider-keys/openai", form)).toEqual([415, "body_not_sent_as_json"]);
  expect(orders).toEqual([]);
});

test("limits the changes of a user", async () => {
  const got = [];
  for (let n = 0; n < 21; n += 1) got.push((await fetch("DELETE", "provider-keys/openai")).status);
  expect(got).toEqual([...Array(20).fill(404), 429]);
});
