import { beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleTokenList } from "#workers/contracts/api/console/tokens.ts";
import { createdServiceToken, serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { SESSION_MS, sealTicket } from "#workers/shared/access/console-ticket.ts";
import { DOORS_KEY } from "../testing/start-dashboard.ts";
import { useTokens } from "../testing/tokens.ts";

const context = useTokens();
const fetch: typeof context.api.fetch = (path, { headers, ...init } = {}) =>
  context.api.fetch(path, { ...init, headers: { "cf-connecting-ip": network, ...(headers as object) } });
/** Another one in each test, because of the rate limit. */
let network = "";
let networks = 0;
const keys = { used: DOORS_KEY };
const own = { name: "Laptop", role: "BASE_USER", days: 30 };
let slug: string;
let client_id: string;
let admin: string;
let bob: string;
let ada: Record<string, string>;
beforeEach(async () => {
  networks += 1;
  network = `192.0.2.${networks}`;
  ({ slug, client_id, admin } = context);
  const { db } = context.api.database;
  bob = await insertClientUser(db, { client_id, email: "bob@acme.test", role: "BASE_USER", status: "validated" }, [
    context.instance,
  ]);
  ada = await entered("ada@acme.test");
});

const enter = async (email: string, at = slug, now = Date.now()) =>
  fetch(`/console/${at}/enter?ticket=${await sealTicket(keys, { use: "entry", slug }, email, now)}`);
/** Returns the headers of a browser that entered. */
async function entered(email: string): Promise<Record<string, string>> {
  const [cookie = ""] = (await enter(email)).headers.getSetCookie();
  return { cookie: cookie.split(";", 1)[0] ?? "", origin: "https://dash.example.test:8443" };
}
const send = (method: string, headers: Record<string, string>, id = "", body?: object) =>
  fetch(`/console/${slug}/tokens${id && `/${id}`}`, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const put = (headers: Record<string, string>, body: object = own, id: string = crypto.randomUUID()) =>
  send("PUT", headers, id, body);
const reason = async (sent: ReturnType<typeof send>) => {
  const response = await sent;
  return [response.status, errorBody.parse(await response.json()).error.reason];
};
const seen = async (headers: Record<string, string>) =>
  consoleTokenList.parse(await (await send("GET", headers)).json());

test("a user creates an own token once, sees it and revokes it, with the user in the audit log and no mail", async () => {
  const { pool } = context.api.database;
  const base = await entered("bob@acme.test");
  const id = crypto.randomUUID();
  const created = await put(base, own, id);
  const { client_secret, ...token } = createdServiceToken.parse(await created.json());
  expect([created.status, created.headers.get("cache-control")]).toEqual([201, "no-store"]);
  expect(client_secret).toMatch(/^\S{32,}$/);
  expect(token).toMatchObject({ id, email: "bob@acme.test", created_by: "bob@acme.test", role: "BASE_USER" });
  expect(await context.atAccess()).toContain(`Tenantry token ${id} of ${slug}.example.test`);
  const before = (await context.atAccess()).length;
  expect(await reason(put(base, own, id))).toEqual([409, "service_token_exists"]);
  expect((await context.atAccess()).length).toBe(before);
  expect(await seen(base)).toMatchObject({ users: [{ id: bob }], tokens: [token] });
  expect((await send("DELETE", base, id)).status).toBe(204);
  await expect.poll(() => context.invalidated).toEqual([`Bearer token-that-invalidates /_invalidate/${slug}`]);
  expect((await seen(base)).tokens).toEqual([]);
  const { rows } = await pool.query(
    "select actor, actor_kind, action from tenantry.audit_log where entity_id = $1 order by id",
    [id],
  );
  const actor = { actor: "bob@acme.test", actor_kind: "dashboard" };
  expect(rows).toEqual([
    { ...actor, action: "insert" },
    { ...actor, action: "delete" },
  ]);
  const { rows: kinds } = await pool.query("select kind from tenantry.events where client_id = $1 order by id", [
    client_id,
  ]);
  expect(kinds.map(({ kind }) => kind)).toEqual(["service_token.created", "service_token.revoked"]);
  expect(await mails()).toEqual([]);
});

const byOperator = async (client_user_id: string) =>
  (
    await context.api.call(serviceTokenRoutes.createServiceToken, {
      ...{ as: "north", params: { client_id }, body: { client_user_id, name: "Phone", role: "BASE_USER" } },
    })
  ).body;

const mails = async () =>
  (
    await context.api.database.pool.query(
      "select recipient, data ->> 'what' as what, data ->> 'by' as by from tenantry.mails where client_id = $1 order by created_at",
      [client_id],
    )
  ).rows;

test("an ADMIN manages the tokens of all users, whom a mail tells about it; a BASE_USER only its own", async () => {
  const base = await entered("bob@acme.test");
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  expect((await put(ada, { ...own, client_user_id: bob }, first)).status).toBe(201);
  expect((await put(ada, { ...own, role: "ADMIN" }, second)).status).toBe(201);
  expect((await seen(ada)).tokens.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
  expect((await seen(base)).tokens.map(({ id }) => id)).toEqual([first]);
  expect((await seen(ada)).users.map(({ email }) => email)).toEqual(["ada@acme.test", "bob@acme.test"]);
  expect(await reason(send("DELETE", base, second))).toEqual([404, "service_token_not_found"]);
  expect(await reason(put(base, { ...own, name: "x", client_user_id: admin }))).toEqual([404, "user_not_found"]);
  expect((await send("DELETE", ada, first)).status).toBe(204);
  const body = await byOperator(bob);
  expect((await seen(base)).tokens).toMatchObject([{ id: body.id, created_by: "operator" }]);
  const mail = { recipient: "bob@acme.test", by: "ada@acme.test" };
  expect(await mails()).toEqual([
    { ...mail, what: "created" },
    { ...mail, what: "revoked" },
    { ...mail, what: "created", by: null },
  ]);
});

test("the database refuses a role above the user's, a name in use, too many, and a client being deleted", async () => {
  const { pool } = context.api.database;
  const base = await entered("bob@acme.test");
  const before = (await context.atAccess()).length;
  expect(await reason(put(base, { ...own, role: "ADMIN" }))).toEqual([409, "service_token_role_above_user"]);
  expect(await reason(put(ada, { ...own, role: "ADMIN", client_user_id: bob }))).toEqual([
    409,
    "service_token_role_above_user",
  ]);
  for (const days of [0, 366]) expect((await put(base, { ...own, days })).status).toBe(400);
  expect((await context.atAccess()).length).toBe(before);
  expect((await put(base)).status).toBe(201);
  expect(await reason(put(base))).toEqual([409, "service_token_name_exists"]);
  await pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     select 'production', $1, $2, 'n' || n, 'ADMIN', 'x', now() + interval '1 hour', 'a' || n || $3, 'b' || n || $3
     from generate_series(1, 9) n`,
    [client_id, admin, slug],
  );
  expect(await reason(put(ada))).toEqual([409, "client_has_max_service_tokens"]);
  await pool.query("update tenantry.clients set delete_after = now() + interval '1 day' where id = $1", [client_id]);
  expect(await reason(put(ada))).toEqual([409, "client_being_deleted"]);
});

test("concurrent requests create no more than the maximum, and one per ID", async () => {
  const id = crypto.randomUUID();
  const same = await Promise.all(Array.from({ length: 4 }, () => put(ada, own, id)));
  const others = await Promise.all(Array.from({ length: 12 }, (_, n) => put(ada, { ...own, name: `n${n}` })));
  for (const response of [...same, ...others]) await response.body?.cancel();
  expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(others.filter(({ status }) => status === 201)).toHaveLength(9);
  expect((await seen(ada)).tokens).toHaveLength(10);
});

test("another tenant's user, an operator and a removed user get nothing", async () => {
  const { db, pool } = context.api.database;
  const other = await insertClient(db, { partner_id: context.api.partners.south });
  await insertClientUser(db, { client_id: other, email: "eve@else.test", status: "validated" }, [
    await insertInstance(db, other),
  ]);
  const body = await byOperator(admin);
  for (const email of ["eve@else.test", context.api.emails.root, "nobody@else.test"]) {
    const headers = await entered(email);
    expect(await reason(send("GET", headers))).toEqual([403, "console_access_ended"]);
    expect(await reason(put(headers))).toEqual([403, "console_access_ended"]);
    expect(await reason(send("DELETE", headers, body.id))).toEqual([403, "console_access_ended"]);
  }
  const base = await entered("bob@acme.test");
  await pool.query("delete from tenantry.client_users where id = $1", [bob]);
  expect(await reason(put(base))).toEqual([403, "console_access_ended"]);
  expect((await seen(ada)).tokens).toHaveLength(1);
});

test("a ticket opens its own tenant for 30 seconds, and a session lasts 15 minutes", async () => {
  const response = await enter("ada@acme.test");
  expect([response.status, response.headers.get("location")]).toEqual([303, `/console/${slug}/?entered`]);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      new RegExp(`^__Host-tenantry-console-${slug}=[\\w-]+; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax$`),
    ),
  ]);
  expect((await enter("ada@acme.test", slug, Date.now() - 30_001)).status).toBe(401);
  expect((await enter("ada@acme.test", "globex")).status).toBe(401);
  expect((await fetch(`/console/${slug}/enter?ticket=x`)).status).toBe(401);
  const name = `__Host-tenantry-console-${slug}`;
  const old = await sealTicket(keys, { use: "session", slug }, "ada@acme.test", Date.now() - SESSION_MS - 1);
  const entry = await sealTicket(keys, { use: "entry", slug }, "ada@acme.test");
  const foreign = await sealTicket({ used: "x".repeat(48) }, { use: "session", slug }, "ada@acme.test");
  for (const value of [old, entry, foreign, "x"]) {
    expect(await reason(send("GET", { cookie: `${name}=${value}` }))).toEqual([401, "console_session_missing"]);
  }
  const page = (path: string, headers = {}) =>
    fetch(`/console/${path}`, { headers: { accept: "text/html", ...headers } });
  const away = await page(`${slug}/`);
  expect([away.status, away.headers.get("location")]).toEqual([303, `https://${slug}.example.test:8443/.tenantry/`]);
  // Without cookies.
  expect((await page(`${slug}/?entered`)).status).toBe(401);
  expect((await page("dash/")).status).toBe(404);
  // A login of the dashboard is none of the console.
  const operator = await fetch(`/console/${slug}/tokens`, { email: context.api.emails.root });
  expect(operator.status).toBe(401);
});

test("refuses changes from another page, also of the tenant, and bodies that are not JSON", async () => {
  for (const headers of [
    { origin: `https://${slug}.example.test:8443` },
    { origin: "null" },
    { origin: "https://dash.example.test" },
    { origin: "https://evil.test" },
  ]) {
    const sent = { ...ada, ...headers };
    expect([headers, (await reason(put(sent)))[0]]).toEqual([headers, 403]);
    expect((await send("DELETE", sent, crypto.randomUUID())).status).toBe(403);
  }
  const { origin: _, ...without } = ada;
  expect((await put({ ...without, "sec-fetch-site": "same-site" })).status).toBe(403);
  const form = await fetch(`/console/${slug}/tokens/${crypto.randomUUID()}`, {
    method: "PUT",
    headers: { ...ada, "content-type": "text/plain" },
    body: JSON.stringify(own),
  });
  expect(form.status).toBe(415);
  expect((await seen(ada)).tokens).toEqual([]);
});
