/** Users over HTTP, by platform roots and partner roots. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { userRoutes } from "#workers/contracts/api/people/users.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const create = async (as: As, body: Record<string, unknown>) =>
  (await api.call(userRoutes.createUser, { as, body })).body;
const refusal = async (as: As, body: Record<string, unknown>) => {
  const { status, error } = await api.refused(userRoutes.createUser, { as, body });
  return [status, error.code, Object.keys((error.details as object | undefined) ?? {})];
};
const get = async (as: As, user_id: string) => (await api.call(userRoutes.getUser, { as, params: { user_id } })).body;
const reconciles = async () => {
  const { rows } = await api.database.pool.query<{
    payload: unknown;
  }>(`select t.payload from graphile_worker._private_jobs t
    join graphile_worker._private_tasks k on k.id = t.task_id where k.identifier = 'reconcile_members'`);
  return rows.map(({ payload }) => payload);
};
/** A client of north's with an instance. */
async function clientOf(partner: "north" | "south" | null, slug: string): Promise<{ id: string; instance: string }> {
  const { db } = api.database;
  const partner_id = partner === null ? null : api.partners[partner];
  const id = await insertClient(db, { slug, partner_id, managed_by: "dashboard" });
  return { id, instance: await insertInstance(db, id, { managed_by: "dashboard" }) };
}

test("lets a platform root create roots of both kinds, who have access at once", async () => {
  const root = await create("root", { email: "Second@Platform.test", name: "Rosa", role: "ROOT" });
  expect(root).toMatchObject({ kind: "dashboard", email: "second@platform.test", role: "ROOT", status: "validated" });
  expect(root).toMatchObject({ managed_by: "dashboard", partner_id: null, clients: [], instance_ids: [] });
  const identity = { idp: "okta", groups: ["a"] };
  const boss = await create("root", {
    email: "second@north.test",
    role: "PARTNER_ROOT",
    partner_id: api.partners.north,
    cf_access_identity: identity,
  });
  expect(boss).toMatchObject({ partner_id: api.partners.north, cf_access_identity: identity });
  expect((await api.fetch("/client", { email: "second@north.test" })).status).toBe(200);
});

test("refuses users that the caller cannot create, and invalid values by field", async () => {
  const [north, south] = [api.partners.north, api.partners.south];
  const email = "lost@north.test";
  expect(await refusal("north", { email, role: "ROOT" })).toEqual([403, "forbidden", []]);
  expect(await refusal("north", { email, role: "PARTNER_ROOT", partner_id: north })).toEqual([403, "forbidden", []]);
  expect(await refusal("north", { email, role: "ADMIN", partner_id: south })).toEqual([403, "forbidden", []]);
  expect(await refusal("root", { email, role: "PARTNER_ROOT" })).toEqual([400, "invalid_request", ["partner_id"]]);
  expect(await refusal("root", { email, role: "ROOT", partner_id: north })).toEqual([
    400,
    "invalid_request",
    ["partner_id"],
  ]);
  expect(await refusal("root", { email, role: "ADMIN", partner_id: crypto.randomUUID() })).toEqual([
    400,
    "invalid_request",
    ["partner_id"],
  ]);
  expect(await refusal("root", { email: "no address", role: "OWNER" })).toEqual([
    400,
    "invalid_request",
    expect.arrayContaining(["email", "role"]),
  ]);
  const big = { email, role: "ADMIN", cf_access_identity: { groups: "x".repeat(5_000) } };
  expect(await refusal("north", big)).toEqual([400, "invalid_request", ["cf_access_identity"]]);
  expect(await refusal("root", { email: api.emails.north, role: "ROOT" })).toEqual([409, "conflict", []]);
  const { body } = await api.call(userRoutes.listUsers, { as: "root", query: { search: email } });
  expect(body.data).toEqual([]);
});

test("links a person to a client as a validated user with access to its instance", async () => {
  const { id: client_id, instance } = await clientOf("north", "linked");
  const person = await create("north", { email: "ada@linked.test", name: "Ada", role: "ADMIN" });
  expect(person).toMatchObject({ kind: "person", partner_id: api.partners.north, status: null, clients: [] });
  await api.database.pool.query("delete from graphile_worker._private_jobs");
  const params = { client_id, user_id: person.id };
  const { status, body } = await api.call(userRoutes.linkUser, { as: "north", params, body: {} });
  expect(status).toBe(201);
  expect(body).toMatchObject({ id: person.id, status: "validated", instance_ids: [instance] });
  expect(body.clients).toEqual([
    { client_id, slug: "linked", role: "ADMIN", status: "validated", instance_ids: [instance] },
  ]);
  expect(Math.abs(Date.now() - Date.parse(body.validated_at ?? ""))).toBeLessThan(60_000);
  expect(await reconciles()).toEqual([{ instance_id: instance }]);
  const resolved = await api.database.pool.query(
    "select api.resolve_tenant('linked', 'ada@linked.test') ->> 'role' as role",
  );
  expect(resolved.rows).toEqual([{ role: "ADMIN" }]);
  const again = await api.refused(userRoutes.linkUser, { as: "north", params, body: { role: "BASE_USER" } });
  expect([again.status, again.error.code]).toEqual([409, "conflict"]);
  expect((await get("north", person.id)).clients[0]?.role).toBe("ADMIN");
});

test("creates one of two concurrent links", async () => {
  const { id: client_id } = await clientOf("north", "raced");
  const { id: user_id } = await create("north", { email: "race@linked.test", role: "BASE_USER" });
  const link = () => api.fetchAs("north", "POST", `/client/${client_id}/user/${user_id}`, {});
  const answers = await Promise.all([link(), link(), link()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test("refuses links across partners, to other clients' instances, of roots, and without an instance", async () => {
  const own = await clientOf("north", "own");
  const others = await clientOf("south", "others");
  const internal = await clientOf(null, "inside");
  const bare = await insertClient(api.database.db, { slug: "bare", partner_id: api.partners.north });
  const nora = await create("north", { email: "nora@own.test", role: "ADMIN" });
  const link = async (as: As, client_id: string, user_id: string, body: unknown = {}) =>
    (await api.fetchAs(as, "POST", `/client/${client_id}/user/${user_id}`, body)).status;
  expect(await link("north", others.id, nora.id)).toBe(404);
  expect(await link("south", others.id, nora.id)).toBe(404);
  expect(await link("root", others.id, nora.id)).toBe(409);
  expect(await link("root", internal.id, nora.id)).toBe(409);
  expect(await link("north", own.id, nora.id, { instance_ids: [others.instance] })).toBe(400);
  expect(await link("north", bare, nora.id)).toBe(409);
  const boss = (await api.call(userRoutes.listUsers, { as: "north", query: { kind: "dashboard" } })).body.data[0];
  expect(await link("north", own.id, boss?.id ?? "")).toBe(409);
  expect((await get("north", nora.id)).clients).toEqual([]);
  expect(await link("north", bare, nora.id, { instance_ids: [] })).toBe(201);
  expect((await get("north", nora.id)).instance_ids).toEqual([]);
});

test("lets a partner root read and delete only its own people, and no root", async () => {
  const theirs = await create("south", { email: "sue@south.test", role: "BASE_USER" });
  const internal = await create("root", { email: "ines@platform.test", role: "ADMIN" });
  const roots = (await api.call(userRoutes.listUsers, { as: "root", query: { kind: "dashboard", limit: "100" } })).body
    .data;
  const rootId = roots.find(({ email }) => email === api.emails.root)?.id ?? "";
  for (const id of [theirs.id, internal.id, rootId, crypto.randomUUID()]) {
    expect((await api.fetchAs("north", "GET", `/user/${id}`)).status).toBe(404);
    expect((await api.fetchAs("north", "DELETE", `/user/${id}`)).status).toBe(404);
  }
  const { body } = await api.call(userRoutes.listUsers, { as: "north", query: { limit: "100" } });
  expect(body.data.filter(({ partner_id }) => partner_id !== api.partners.north)).toEqual([]);
  expect(body.data.map(({ kind }) => kind)).toContain("dashboard");
  const colleague = body.data.find(({ email, kind }) => kind === "dashboard" && email !== api.emails.north)?.id ?? "";
  expect((await api.fetchAs("north", "DELETE", `/user/${colleague}`)).status).toBe(403);
  expect((await get("root", theirs.id)).email).toBe("sue@south.test");
});

test("ends a deleted person's access to every client, with open sessions and the tenants' member lists", async () => {
  const { id: client_id, instance } = await clientOf("north", "leaver");
  const invited = await clientOf("north", "never-entered");
  const { id: user_id } = await create("north", { email: "leaver@north.test", role: "ADMIN" });
  await api.call(userRoutes.linkUser, { as: "north", params: { client_id, user_id }, body: {} });
  await insertClientUser(api.database.db, { client_id: invited.id, email: "leaver@north.test" });
  await api.database.pool.query("delete from graphile_worker._private_jobs");
  const stale = { as: "north", params: { user_id }, headers: { "if-match": '"7"' } } as const;
  expect((await api.refused(userRoutes.deleteUser, stale)).status).toBe(412);
  expect((await api.call(userRoutes.deleteUser, { as: "north", params: { user_id } })).status).toBe(204);
  expect((await api.fetchAs("north", "GET", `/user/${user_id}`)).status).toBe(404);
  const members = await api.database.pool.query("select from tenantry.client_users where client_id = $1", [client_id]);
  expect(members.rowCount).toBe(0);
  expect(await reconciles()).toEqual([{ instance_id: instance }]);
  const cut = await api.database.pool.query(
    "select client_id, requested_by from tenantry.jobs where kind = 'invalidate' and client_id = any ($1)",
    [[client_id, invited.id]],
  );
  expect(cut.rows).toEqual([{ client_id, requested_by: "root@north.test" }]);
});

test("refuses to delete oneself and roots of Git, and deletes only one of two roots that delete each other", async () => {
  const { db } = api.database;
  const emails = ["one@roots.test", "two@roots.test"];
  const [one, two] = await Promise.all(emails.map((email) => create("root", { email, role: "ROOT" })));
  const remove = async (email: string, id = "") => (await api.fetch(`/user/${id}`, { method: "DELETE", email })).status;
  expect(await remove("one@roots.test", one?.id)).toBe(409);
  const git = await db
    .selectFrom("tenantry.dashboard_users")
    .select("id")
    .where("email", "=", api.emails.root)
    .executeTakeFirstOrThrow();
  const refused = await api.fetch(`/user/${git.id}`, { method: "DELETE", email: "one@roots.test" });
  expect(await refused.json()).toMatchObject({ error: { code: "managed_by_git" } });
  const outcome = await Promise.all([remove("one@roots.test", two?.id), remove("two@roots.test", one?.id)]);
  expect(outcome.filter((status) => status === 204)).toHaveLength(1);
  const { rows } = await api.database.pool.query("select from tenantry.dashboard_users where email = any($1)", [
    emails,
  ]);
  expect(rows).toHaveLength(1);
});

test("returns each user on one page, newest first, roots and people in one order", async () => {
  const { pool } = api.database;
  await pool.query(`insert into tenantry.users (email, created_at)
    select 'paged' || n || '@page.test', '2020-01-01T00:00:00.0001Z'::timestamptz + n * interval '1 microsecond' from generate_series(1, 3) n`);
  await pool.query(`insert into tenantry.dashboard_users (email, role, created_at) values
    ('paged-root@page.test', 'ROOT', '2020-01-01T00:00:00.000102Z')`);
  try {
    const seen: string[] = [];
    let after: string | null = "";
    while (after !== null) {
      const query: Record<string, string> = { limit: "1", search: "page.test", ...(after !== "" && { after }) };
      const { body } = await api.call(userRoutes.listUsers, { as: "root", query });
      seen.push(...body.data.map(({ email }) => email));
      after = body.pagination.next;
    }
    expect(seen).toHaveLength(4);
    expect(seen.filter((email) => /paged(1|3)/.test(email))).toEqual(["paged3@page.test", "paged1@page.test"]);
    expect(new Set(seen.slice(1, 3))).toEqual(new Set(["paged2@page.test", "paged-root@page.test"]));
  } finally {
    await pool.query("delete from tenantry.dashboard_users where email = 'paged-root@page.test'");
  }
});

test("shows the most advanced status of a person, and the status at each client", async () => {
  const { db } = api.database;
  const [first, second] = [await clientOf("north", "first"), await clientOf("north", "second")];
  await insertClientUser(db, { client_id: first.id, email: "both@north.test", status: "rejected", role: "BASE_USER" });
  await insertClientUser(db, { client_id: second.id, email: "both@north.test", status: "invited" }, [second.instance]);
  const { body } = await api.call(userRoutes.listUsers, { as: "north", query: { search: "both@" } });
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({ status: "invited", validated_at: null, instance_ids: [second.instance] });
  expect(body.data[0]?.clients.map(({ slug, status }) => [slug, status])).toEqual([
    ["first", "rejected"],
    ["second", "invited"],
  ]);
});
