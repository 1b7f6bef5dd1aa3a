/** Service tokens over HTTP, with Cloudflare's API as the edge emulates it. */
import { expect, test } from "vitest";
import { insertClientUser } from "#database/testing/fixtures.ts";
import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import type { As } from "../../testing/start-api.ts";
import { useTokens } from "../../testing/tokens.ts";

const context = useTokens();

const laptop = { name: "Laptop", role: "ADMIN" } as const;
const create = (body: object = {}, as: As = "north", headers: Record<string, string> = {}) =>
  context.api.call(serviceTokenRoutes.createServiceToken, {
    ...{ as, params: { client_id: context.client_id }, headers },
    body: { client_user_id: context.admin, ...laptop, ...body },
  });
const refused = async (body: object = {}, as: As = "north") => {
  const { status, error } = await context.api.refused(serviceTokenRoutes.createServiceToken, {
    ...{ as, params: { client_id: context.client_id } },
    body: { client_user_id: context.admin, ...laptop, ...body },
  });
  return [status, error.reason];
};
const list = async (as: As = "north") =>
  (await context.api.call(serviceTokenRoutes.listServiceTokens, { as, params: { client_id: context.client_id } })).body
    .data;
test("creates a token at Access and shows its secret once, which no table has in plain text", async () => {
  const key = { "idempotency-key": "one" };
  const { body } = await create({ days: 30 }, "north", key);
  const { client_secret, ...token } = body;
  expect(client_secret).toMatch(/^\S{32,}$/);
  expect(token).toMatchObject({
    ...laptop,
    email: "ada@acme.test",
    created_by: context.api.emails.north,
    last_used_at: null,
  });
  expect(Math.round((Date.parse(token.expires_at) - Date.now()) / 86_400_000)).toBe(30);
  const { rows } = await context.api.database.pool.query("select slug from tenantry.clients where id = $1", [
    context.client_id,
  ]);
  expect(await context.atAccess()).toContain(`Tenantry token ${token.id} of ${rows[0]?.slug}.example.test`);

  const repeated = await create({ days: 30 }, "north", key);
  expect([repeated.headers.get("idempotency-replayed"), repeated.body]).toEqual(["true", body]);
  expect(await list()).toEqual([token]);
  const { rows: dumped } = await context.api.database.pool.query(
    `select string_agg(t::text, ' ') as all from (
       select k::text from tenantry.service_tokens k union all select k::text from tenantry.idempotency_keys k
       union all select k::text from tenantry.audit_log k union all select k::text from tenantry.events k) t`,
  );
  expect(dumped[0]?.all).toContain(token.access_client_id);
  expect(dumped[0]?.all).not.toContain(client_secret);
  const { rows: kinds } = await context.api.database.pool.query(
    "select kind from tenantry.events where client_id = $1",
    [context.client_id],
  );
  expect(kinds).toEqual([{ kind: "service_token.created" }]);
});

test("rejects a role above the user's, users without access, and a name in use, and creates nothing at Access", async () => {
  const { db } = context.api.database;
  const user = (name: string, values: object, instances = [context.instance]) =>
    insertClientUser(
      db,
      { client_id: context.client_id, email: `${name}@acme.test`, status: "validated", ...values },
      instances,
    );
  const before = (await context.atAccess()).length;
  const base = await user("bob", { role: "BASE_USER" });
  expect(await refused({ client_user_id: base })).toEqual([409, "service_token_role_too_high"]);
  for (const without of [await user("eve", { status: "invited" }), await user("una", {}, [])]) {
    expect(await refused({ client_user_id: without })).toEqual([409, "service_token_user_without_access"]);
  }
  expect(await refused({ client_user_id: context.client_id })).toEqual([404, "user_not_found"]);
  expect((await context.atAccess()).length).toBe(before);
  await create({ client_user_id: base, role: "BASE_USER" });
  expect(await refused({ client_user_id: base, role: "BASE_USER" })).toEqual([409, "service_token_name_exists"]);
  expect((await context.atAccess()).length).toBe(before + 1);
});

test("limits the valid tokens of a client", async () => {
  await context.api.database.pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     select 'production', $1, $2, 'n' || n, 'ADMIN', 'x', now() + interval '1 hour' * (n - 1.5), 'i' || n, 'c' || n
     from generate_series(1, 10) n`,
    [context.client_id, context.admin],
  );
  // One of the ten has expired.
  await create();
  expect(await refused({ name: "Phone" })).toEqual([409, "client_has_max_service_tokens"]);
});

test("refuses another partner's client, and shows it nothing", async () => {
  const { body } = await create();
  expect(await refused({}, "south")).toEqual([404, "client_not_found"]);
  const other = { as: "south" as const, params: { client_id: context.client_id, id: body.id } };
  expect((await context.api.refused(serviceTokenRoutes.listServiceTokens, other)).status).toBe(404);
  expect((await context.api.refused(serviceTokenRoutes.revokeServiceToken, other)).status).toBe(404);
  expect(await list()).toHaveLength(1);
});

test("creates no row when Access refuses or fails", async () => {
  const errors = [{ code: 12130, message: "an account has at most 50 service tokens" }];
  context.refusal = Response.json({ success: false, errors, result: null }, { status: 400 });
  expect(await refused()).toEqual([409, "access_refused_token"]);
  context.refusal = new Response("busy", { status: 502 });
  expect(await refused()).toEqual([503, "access_not_responding"]);
  context.refusal = Response.json({ success: true, errors: [], result: { id: "x" } });
  expect(await refused()).toEqual([503, "access_not_responding"]);
  expect(await list()).toEqual([]);
});

test("revokes a token at once: its row is gone, its connections end, and the Access group is updated", async () => {
  const { body } = await create();
  const { pool } = context.api.database;
  await pool.query("delete from graphile_worker._private_jobs");
  const params = { client_id: context.client_id, id: body.id };
  await context.api.call(serviceTokenRoutes.revokeServiceToken, { as: "root", params });
  const { rows } = await pool.query("select slug from tenantry.clients where id = $1", [context.client_id]);
  await expect.poll(() => context.invalidated).toEqual([`Bearer token-that-invalidates /_invalidate/${rows[0]?.slug}`]);
  expect(await list()).toEqual([]);
  const { rows: jobs } = await pool.query("select key from graphile_worker._private_jobs where key like 'members:%'");
  expect(jobs).toEqual([{ key: `members:${context.instance}` }]);
  const { error } = await context.api.refused(serviceTokenRoutes.revokeServiceToken, { as: "root", params });
  expect(error.reason).toBe("service_token_not_found");
});
