/** The API as a client's own users call it, below the console. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { auditRoutes } from "#workers/contracts/api/audit.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

const logins = new Map<string, Record<string, string>>();
let api: ApiUnderTest;
let clients = 0;
let slug: string;
let client_id: string;
let instance_id: string;
let ada: { id: string; slug: string; email: string };
let ben: typeof ada;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  const { db } = api.database;
  slug = `of-north-${++clients}`;
  client_id = await insertClient(db, { slug, partner_id: api.partners.north });
  instance_id = await insertInstance(db, client_id);
  const user = async (email: string) => ({
    id: await insertClientUser(db, { client_id, email, role: "ADMIN", status: "validated" }, [instance_id]),
    slug,
    email,
  });
  [ada, ben] = [await user(`ada@${slug}.test`), await user(`ben@${slug}.test`)];
  for (const { email } of [ada, ben]) logins.set(email, await consoleLogin(slug, email));
});

const of = (user: { id: string }) => ({ client_id, id: user.id });
const own = { client_id: "" };
beforeEach(() => {
  own.client_id = client_id;
});

test("tells an ADMIN who it is and which tenant it manages", async () => {
  const { body } = await api.call(sessionRoutes.getSession, { as: ada });
  expect(body).toMatchObject({
    user: { id: ada.id, email: ada.email, role: "ADMIN" },
    partner: null,
    tenant: { client: { id: client_id, slug }, instance_id, brand: { name: "north" } },
  });
  expect(new URL(body.tenant?.address ?? "").hostname).toBe(`${slug}.example.test`);
});

test("invites a user, and changes and removes another ADMIN", async () => {
  const invited = { email: "bob@acme.test", role: "BASE_USER", instance_ids: [instance_id] };
  const { body } = await api.call(clientUserRoutes.inviteClientUser, { as: ada, params: own, body: invited });
  expect(body).toMatchObject({ email: "bob@acme.test", status: "invited", role: "BASE_USER" });
  const { body: changed } = await api.call(clientUserRoutes.updateClientUser, {
    as: ada,
    params: of(ben),
    body: { role: "BASE_USER" },
  });
  expect(changed.role).toBe("BASE_USER");
  await api.call(clientUserRoutes.removeClientUser, { as: ada, params: of(ben) });
  const { body: list } = await api.call(clientUserRoutes.listClientUsers, { as: ada, params: own });
  expect(list.data.map(({ email }) => email).toSorted()).toEqual([ada.email, "bob@acme.test"].toSorted());
});

test("keeps the last ADMIN, also when two remove each other at once", async () => {
  const [one, other] = await Promise.all([api.fetch(...removal(ada, ben)), api.fetch(...removal(ben, ada))]);
  // The second one either finds itself removed, or is the last.
  const statuses = [one.status, other.status].toSorted();
  expect(statuses[0]).toBe(204);
  expect([403, 404, 409]).toContain(statuses[1]);
  const { rows } = await api.database.pool.query("select id, email from tenantry.client_users where client_id = $1", [
    client_id,
  ]);
  expect(rows).toHaveLength(1);
  const last = { ...ada, ...rows[0] };
  for (const refused of [
    api.refused(clientUserRoutes.removeClientUser, { as: last, params: of(last) }),
    api.refused(clientUserRoutes.updateClientUser, { as: last, params: of(last), body: { role: "BASE_USER" } }),
  ])
    expect(await refused).toMatchObject({ status: 409, error: { reason: "last_admin" } });
  await api.call(clientUserRoutes.removeClientUser, { as: "north", params: of(last) });
});

test("refuses a removed ADMIN at the next request, and a demoted one for changes", async () => {
  const list = { as: ben, params: own } as const;
  await api.call(clientUserRoutes.listClientUsers, list);
  await api.call(clientUserRoutes.updateClientUser, { as: ada, params: of(ben), body: { role: "BASE_USER" } });
  expect(await api.refused(clientUserRoutes.listClientUsers, list)).toMatchObject({
    status: 403,
    error: { reason: "console_admin_required" },
  });
  expect((await api.call(sessionRoutes.getSession, { as: ben })).body.user.role).toBe("BASE_USER");
  await api.call(clientUserRoutes.removeClientUser, { as: ada, params: of(ben) });
  expect(await api.refused(sessionRoutes.getSession, { as: ben })).toMatchObject({
    status: 403,
    error: { reason: "console_access_ended" },
  });
});

test("shows what operators did, without their addresses and the platform's names", async () => {
  const { pool } = api.database;
  await pool.query("update tenantry.instances set egress = $2, managed_by = 'dashboard' where id = $1", [
    instance_id,
    { mode: "audit" },
  ]);
  await api.call(egressRoutes.putEgress, { as: "root", params: { instance_id }, body: { policy: { mode: "open" } } });
  await api.call(clientUserRoutes.updateClientUser, { as: ada, params: of(ben), body: { name: "Ben" } });
  await api.call(clientUserRoutes.updateClientUser, { as: "north", params: of(ben), body: { name: "Benedict" } });
  const { body } = await api.call(auditRoutes.listAudit, { as: ada });
  const ofBen = body.data.filter(({ entity, action }) => entity === "client_users" && action === "update");
  expect(ofBen.map(({ actor, source, after }) => [actor, typeof source, after?.name])).toEqual([
    ["operator", "object", "Benedict"],
    [ada.email, expect.any(String), "Ben"],
  ]);
  const change = body.data.find(({ entity, actor }) => entity === "instances" && actor === "operator");
  expect(change).toMatchObject({ before: { egress: { mode: "audit" } }, after: { egress: { mode: "open" } } });
  expect(JSON.stringify(body)).not.toMatch(/root@|worker_name|urn:pulumi|token_hash/);
  // An address of an operator is no filter.
  const { body: guessed } = await api.call(auditRoutes.listAudit, { as: ada, query: { actor: "root@north.test" } });
  expect(guessed.data).toEqual([]);
  const { body: instance } = await api.call(instanceRoutes.getInstance, { as: ada, params: { instance_id } });
  expect(instance).toMatchObject({ worker_name: "", ai_gateway: null });
});

test("repeats the response of a request with the same key, to the same ADMIN alone", async () => {
  const invited = { email: "eve@acme.test", role: "BASE_USER", instance_ids: [instance_id] };
  const sent = { params: own, body: invited, headers: { "idempotency-key": "one" } };
  const first = await api.call(clientUserRoutes.inviteClientUser, { as: ada, ...sent });
  const again = await api.call(clientUserRoutes.inviteClientUser, { as: ada, ...sent });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await api.refused(clientUserRoutes.inviteClientUser, { as: ben, ...sent })).toMatchObject({ status: 409 });
});

test("revokes tokens of everyone, and creates none above a user's role", async () => {
  const bob = await insertClientUser(
    api.database.db,
    { client_id, email: `bob@${slug}.test`, role: "BASE_USER", status: "validated" },
    [instance_id],
  );
  const body = { client_user_id: bob, name: "Laptop", role: "ADMIN", days: 7 };
  expect(await api.refused(serviceTokenRoutes.createServiceToken, { as: ada, params: own, body })).toMatchObject({
    status: 409,
  });
  const { rows } = await api.database.pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     values ('production', $1, $2, 'Phone', 'BASE_USER', 'x', now() + interval '1 day', $3, $3) returning id`,
    [client_id, bob, `${slug}.access`],
  );
  await api.call(serviceTokenRoutes.revokeServiceToken, { as: ada, params: { client_id, id: rows[0].id } });
  const mails = await api.database.pool.query(
    "select data from tenantry.mails where client_user_id = $1 and kind = 'service_token' and data ->> 'what' = 'revoked'",
    [bob],
  );
  expect(mails.rows).toMatchObject([{ data: { name: "Phone", by: ada.email } }]);
});

test("sets the maintenance window of its client, and changes nothing else of it", async () => {
  const { pool } = api.database;
  const window = { days: [6, 7], start: "03:00", hours: 2, time_zone: "Europe/Berlin" };
  const set = { as: ada, params: own, body: { maintenance_window: window } };
  expect(await api.refused(clientRoutes.setMaintenanceWindow, set)).toMatchObject({
    status: 409,
    error: { code: "managed_by_git" },
  });
  await pool.query("update tenantry.clients set managed_by = 'dashboard' where id = $1", [client_id]);
  const { body } = await api.call(clientRoutes.getClient, { as: ada, params: own });
  const headers = { "if-match": `"${body.version}"` };
  const changed = await api.call(clientRoutes.setMaintenanceWindow, { ...set, headers });
  expect(changed.body).toMatchObject({ maintenance_window: window, version: body.version + 1 });
  // Another ADMIN who still sees the former version.
  const late = { ...set, as: ben, body: { maintenance_window: null }, headers };
  expect(await api.refused(clientRoutes.setMaintenanceWindow, late)).toMatchObject({ status: 412 });
  const { data } = (await api.call(auditRoutes.listAudit, { as: ben })).body;
  expect(data[0]).toMatchObject({ actor: ada.email, entity: "clients", after: { maintenance_hours: 2 } });
});

test("sets the cap of spending on models within its plan, also by SQL, and sees who changed it", async () => {
  const { pool } = api.database;
  await pool.query(
    `insert into tenantry.account_limits (environment, limits, needs, containers, ai_spend)
     values ('production', '{}', '{}', '{}', '{"pro": 200, "enterprise": null}') on conflict do nothing`,
  );
  await pool.query("update tenantry.clients set billing_plan = 'pro' where id = $1", [client_id]);
  await pool.query(
    `insert into tenantry.usage_daily (client_id, day, metric, quantity, computed_at)
     select $1, (now() at time zone 'utc')::date - n, 'ai_spend', 1500000, now() from unnest(array[0, 29, 30]) n`,
    [client_id],
  );
  const { getSpendingCap, setSpendingCap } = modelCallRoutes;
  const { body: before } = await api.call(getSpendingCap, { as: ada, params: own });
  expect(before).toMatchObject({ cap_micros: null, maximum_micros: 200_000_000, spent_micros: 3_000_000 });
  const headers = { "if-match": `"${before.version}"` };
  const set = (cap_micros: number | null, as: typeof ada | "north" = ada) => ({
    ...{ as, params: own, headers, body: { cap_micros } },
  });
  const above = await api.refused(setSpendingCap, set(200_000_001));
  expect(above).toMatchObject({ status: 400, error: { reason: "spending_cap_above_plan" } });
  expect(above.error.message).toContain("at most 200.00 US dollars");
  expect(await api.refused(setSpendingCap, set(-1))).toMatchObject({ status: 400 });

  const { body } = await api.call(setSpendingCap, set(80_000_000));
  expect(body).toMatchObject({ cap_micros: 80_000_000, version: before.version + 1 });
  expect(await api.refused(setSpendingCap, set(10_000_000, ben))).toMatchObject({ status: 412 });
  const { data } = (await api.call(auditRoutes.listAudit, { as: ben })).body;
  expect(data.find(({ entity }) => entity === "clients")).toMatchObject({
    actor: ada.email,
    after: { ai_spend_cap_micros: 80_000_000 },
  });
  const jobs = "select requested_by from tenantry.jobs where client_id = $1 and kind = 'push_provider_keys'";
  expect((await pool.query(jobs, [client_id])).rows).toEqual([{ requested_by: ada.email }]);

  for (const cap of [200_000_001, 9_000_000_000_000_001])
    await expect(
      pool.query("update tenantry.clients set ai_spend_cap_micros = $2 where id = $1", [client_id, cap]),
    ).rejects.toThrow(/at most|check/);
  // A larger plan permits more, and a smaller one keeps a cap that it would not permit to set.
  await pool.query("update tenantry.clients set billing_plan = 'enterprise' where id = $1", [client_id]);
  await pool.query("update tenantry.clients set ai_spend_cap_micros = 500000000 where id = $1", [client_id]);
  await pool.query("update tenantry.clients set billing_plan = 'pro' where id = $1", [client_id]);
  const { body: after } = await api.call(getSpendingCap, { as: "north", params: own });
  expect(after).toMatchObject({ cap_micros: 500_000_000, maximum_micros: 200_000_000 });
  await api.call(setSpendingCap, { as: "north", params: own, body: { cap_micros: 0 } });
});

test("sees jobs of its tenant without the platform's steps, and its days", async () => {
  const { pool } = api.database;
  const { rows } = await pool.query(
    `insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, status, ended_at, cause)
     values ('freeze', $1, $2, $3, 'root@north.test', 'failed', now(), 'Cancelled by root@north.test.') returning id`,
    [client_id, instance_id, slug],
  );
  const [{ id }] = rows;
  await pool.query(
    "insert into tenantry.job_events (job_id, kind, message) values ($1, 'step', 'tenantry:index:Worker')",
    [id],
  );
  const { body } = await api.call(jobRoutes.getJob, { as: ada, params: { id } });
  expect(body).toMatchObject({ requested_by: "operator", cause: "Cancelled by operator." });
  expect(body.events.map(({ kind }) => kind)).toEqual(["queued"]);
  expect((await api.call(jobRoutes.getJob, { as: "root", params: { id } })).body.events).toHaveLength(2);

  await pool.query(
    `insert into tenantry.instance_health_snapshots
       (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms)
     select $1, true, n > 1, true, false, false, 40 from generate_series(1, 4) n`,
    [instance_id],
  );
  const days = await api.call(instanceRoutes.getInstanceAvailability, { as: ada, params: { instance_id } });
  expect(days.body.data).toEqual([
    { day: new Date().toISOString().slice(0, 10), samples: 4, ready: 3, mean_latency_ms: 40 },
  ]);
});

/** Opens the tenant's console in the name of a platform root. @returns the session's headers */
async function view(): Promise<Record<string, string>> {
  const { body } = await api.call(clientRoutes.viewClient, { as: "root", params: own });
  const { pathname, search } = new URL(body.url);
  const entered = await api.fetch(pathname + search);
  expect([entered.status, entered.headers.get("location")]).toEqual([303, `/console/${slug}/?entered`]);
  const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
  return { cookie, origin: "https://dash.example.test:8443" };
}

test("lets a platform root view the tenant as its ADMIN, who sees that", async () => {
  const headers = await view();
  const get = (path: string, below = slug) => api.fetch(consoleApi(below) + path, { headers });
  expect(await (await get("/session")).json()).toMatchObject({
    user: { email: "root@platform.test", role: "ADMIN" },
    tenant: { client: { slug }, read_only: true },
  });
  const page = await api.fetch(`/console/${slug}/`, { headers });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const users = (await (await get(`/api/clients/${client_id}/users`)).json()) as { data: { email: string }[] };
  expect(users.data.map(({ email }) => email).toSorted()).toEqual([ada.email, ben.email]);
  const { data } = (await api.call(auditRoutes.listAudit, { as: ada })).body;
  expect(data[0]).toMatchObject({ actor: "operator", entity: "console", after: { view: "read-only" }, source: null });

  const another = await insertClient(api.database.db, { slug: `${slug}-b`, partner_id: api.partners.north });
  await insertInstance(api.database.db, another);
  expect((await get(`/client/${another}`)).status).toBe(404);
  expect((await get("/session", `${slug}-b`)).status).toBe(401);
  const changes = [
    ["POST", `/api/clients/${client_id}/users`],
    ["POST", `/client/instance/${instance_id}/restart`],
    ["GET", `/client/instance/${instance_id}/backups/2026-01-01T00-00-00Z`],
    ["GET", `/api/instances/${instance_id}/inbox/export`],
  ] as const;
  for (const [method, path] of changes) {
    const refused = await api.fetch(consoleApi(slug) + path, { method, headers });
    const { error } = errorBody.parse(await refused.json());
    expect([path, refused.status, error.reason]).toEqual([path, 403, "console_view_read_only"]);
  }
  await api.database.pool.query(
    "update tenantry.dashboard_users set role = 'PARTNER_ROOT', partner_id = $1 where email = $2",
    [api.partners.north, api.emails.root],
  );
  try {
    expect((await get("/session")).status).toBe(403);
  } finally {
    await api.database.pool.query(
      "update tenantry.dashboard_users set role = 'ROOT', partner_id = null where email = $1",
      [api.emails.root],
    );
  }
});

test("lets no partner root view a tenant", async () => {
  expect(await api.refused(clientRoutes.viewClient, { as: "north", params: own })).toMatchObject({ status: 403 });
});

function removal(as: typeof ada, who: typeof ada): Parameters<ApiUnderTest["fetch"]> {
  return [
    `${consoleApi(slug)}/api/clients/${client_id}/users/${who.id}`,
    { method: "DELETE", headers: logins.get(as.email) ?? {} },
  ];
}
