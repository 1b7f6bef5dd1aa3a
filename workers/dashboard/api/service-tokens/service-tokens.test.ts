/** Service tokens over HTTP, with Cloudflare's API as the edge emulates it. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let cloudflare: ApiServer;
/** Response of Cloudflare's API instead of its own. */
let refusal: Response | undefined;
let dispatch: Server;
let invalidated: string[] = [];
let api: ApiUnderTest;
let client_id: string;
let instance: string;
let admin: string;
beforeAll(async () => {
  cloudflare = await startApiServer(async () => refusal?.clone());
  dispatch = createServer((request, response) => {
    invalidated.push(`${request.headers.authorization} ${request.url}`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => dispatch.listen(0, "127.0.0.1", resolve));
  api = await startApi({
    CLOUDFLARE_API_URL: cloudflare.url,
    CF_ACCOUNT_ID: account_id,
    SERVICE_TOKENS_TOKEN: cloudflare.apiToken,
    DISPATCH_URL: `http://127.0.0.1:${(dispatch.address() as AddressInfo).port}`,
    INVALIDATE_TOKEN: "token-that-invalidates",
  });
});
afterAll(async () => {
  await api?.stop();
  await cloudflare?.close();
  dispatch?.close();
});
beforeEach(async () => {
  const { db } = api.database;
  client_id = await insertClient(db, { partner_id: api.partners.north });
  instance = await insertInstance(db, client_id);
  admin = await insertClientUser(db, { client_id, email: "ada@acme.test", status: "validated" }, [instance]);
});
afterEach(() => {
  refusal = undefined;
  invalidated = [];
});

const laptop = { name: "Laptop", role: "ADMIN" } as const;
const create = (body: object = {}, as: As = "north", headers: Record<string, string> = {}) =>
  api.call(serviceTokenRoutes.createServiceToken, {
    ...{ as, params: { client_id }, headers },
    body: { client_user_id: admin, ...laptop, ...body },
  });
const refused = async (body: object = {}, as: As = "north") => {
  const { status, error } = await api.refused(serviceTokenRoutes.createServiceToken, {
    ...{ as, params: { client_id } },
    body: { client_user_id: admin, ...laptop, ...body },
  });
  return [status, error.reason];
};
const list = async (as: As = "north") =>
  (await api.call(serviceTokenRoutes.listServiceTokens, { as, params: { client_id } })).body.data;
const atAccess = async () => {
  const names = [];
  for await (const { name } of cloudflare.cloudflare.zeroTrust.access.serviceTokens.list({ account_id })) {
    names.push(name);
  }
  return names;
};

test("creates a token at Access and shows its secret once, which no table has in plain text", async () => {
  const key = { "idempotency-key": "one" };
  const { body } = await create({ days: 30 }, "north", key);
  const { client_secret, ...token } = body;
  expect(client_secret).toMatch(/^\S{32,}$/);
  expect(token).toMatchObject({ ...laptop, email: "ada@acme.test", created_by: api.emails.north, last_used_at: null });
  expect(Math.round((Date.parse(token.expires_at) - Date.now()) / 86_400_000)).toBe(30);
  const { rows } = await api.database.pool.query("select slug from tenantry.clients where id = $1", [client_id]);
  expect(await atAccess()).toContain(`Tenantry token ${token.id} of ${rows[0]?.slug}.example.test`);

  const repeated = await create({ days: 30 }, "north", key);
  expect([repeated.headers.get("idempotency-replayed"), repeated.body]).toEqual(["true", body]);
  expect(await list()).toEqual([token]);
  const { rows: dumped } = await api.database.pool.query(
    `select string_agg(t::text, ' ') as all from (
       select k::text from tenantry.service_tokens k union all select k::text from tenantry.idempotency_keys k
       union all select k::text from tenantry.audit_log k union all select k::text from tenantry.events k) t`,
  );
  expect(dumped[0]?.all).toContain(token.access_client_id);
  expect(dumped[0]?.all).not.toContain(client_secret);
  const { rows: kinds } = await api.database.pool.query("select kind from tenantry.events where client_id = $1", [
    client_id,
  ]);
  expect(kinds).toEqual([{ kind: "service_token.created" }]);
});

test("rejects a role above the user's, users without access, and a name in use, and creates nothing at Access", async () => {
  const { db } = api.database;
  const user = (name: string, values: object, instances = [instance]) =>
    insertClientUser(db, { client_id, email: `${name}@acme.test`, status: "validated", ...values }, instances);
  const before = (await atAccess()).length;
  const base = await user("bob", { role: "BASE_USER" });
  expect(await refused({ client_user_id: base })).toEqual([409, "service_token_role_too_high"]);
  for (const without of [await user("eve", { status: "invited" }), await user("una", {}, [])]) {
    expect(await refused({ client_user_id: without })).toEqual([409, "service_token_user_without_access"]);
  }
  expect(await refused({ client_user_id: client_id })).toEqual([404, "user_not_found"]);
  expect((await atAccess()).length).toBe(before);
  await create({ client_user_id: base, role: "BASE_USER" });
  expect(await refused({ client_user_id: base, role: "BASE_USER" })).toEqual([409, "service_token_name_exists"]);
  expect((await atAccess()).length).toBe(before + 1);
});

test("limits the valid tokens of a client", async () => {
  await api.database.pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     select 'production', $1, $2, 'n' || n, 'ADMIN', 'x', now() + interval '1 hour' * (n - 1.5), 'i' || n, 'c' || n
     from generate_series(1, 10) n`,
    [client_id, admin],
  );
  // One of the ten has expired.
  await create();
  expect(await refused({ name: "Phone" })).toEqual([409, "client_has_max_service_tokens"]);
});

test("refuses another partner's client, and shows it nothing", async () => {
  const { body } = await create();
  expect(await refused({}, "south")).toEqual([404, "client_not_found"]);
  const other = { as: "south" as const, params: { client_id, id: body.id } };
  expect((await api.refused(serviceTokenRoutes.listServiceTokens, other)).status).toBe(404);
  expect((await api.refused(serviceTokenRoutes.revokeServiceToken, other)).status).toBe(404);
  expect(await list()).toHaveLength(1);
});

test("creates no row when Access refuses or fails", async () => {
  const errors = [{ code: 12130, message: "an account has at most 50 service tokens" }];
  refusal = Response.json({ success: false, errors, result: null }, { status: 400 });
  expect(await refused()).toEqual([409, "access_refused_token"]);
  refusal = new Response("busy", { status: 502 });
  expect(await refused()).toEqual([503, "access_not_responding"]);
  refusal = Response.json({ success: true, errors: [], result: { id: "x" } });
  expect(await refused()).toEqual([503, "access_not_responding"]);
  expect(await list()).toEqual([]);
});

test("revokes a token at once: its row is gone, its connections end, and the Access group is updated", async () => {
  const { body } = await create();
  const { pool } = api.database;
  await pool.query("delete from graphile_worker._private_jobs");
  const params = { client_id, id: body.id };
  await api.call(serviceTokenRoutes.revokeServiceToken, { as: "root", params });
  const { rows } = await pool.query("select slug from tenantry.clients where id = $1", [client_id]);
  await expect.poll(() => invalidated).toEqual([`Bearer token-that-invalidates /_invalidate/${rows[0]?.slug}`]);
  expect(await list()).toEqual([]);
  const { rows: jobs } = await pool.query("select key from graphile_worker._private_jobs where key like 'members:%'");
  expect(jobs).toEqual([{ key: `members:${instance}` }]);
  const { error } = await api.refused(serviceTokenRoutes.revokeServiceToken, { as: "root", params });
  expect(error.reason).toBe("service_token_not_found");
});
