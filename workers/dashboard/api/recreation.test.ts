/** Partners, domains, pool entries and users that are removed and come back: they work, with nothing of before. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { type Manager, managers } from "#domain/entities/entity.ts";
import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { userRoutes } from "#workers/contracts/api/people/users.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { type ApiUnderTest, startApi } from "../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const as = "root";
const returns = managers.flatMap((from) => managers.map((to) => ({ from, to })));

const OWNER = "urn:pulumi:prod::tenantry::tenantry:index:DatabaseRecord::x";
const remove = (table: string, id: string) =>
  api.database.pool.query(`delete from tenantry.${table} where id = $1`, [id]);

async function createPartner(slug: string, by: Manager): Promise<string> {
  if (by === "dashboard") return (await api.call(partnerRoutes.createPartner, { as, body: { slug } })).body.id;
  const values = { slug, name: slug, owner: OWNER };
  return (
    await api.database.db.insertInto("tenantry.partners").values(values).returning("id").executeTakeFirstOrThrow()
  ).id;
}

test.each(returns)(
  "a partner of $from that is recreated in $to has none of its former people, domains, branding and clients",
  async ({ from, to }) => {
    const { db } = api.database;
    const slug = `partner-${from}-${to}`;
    const email = `root@${slug}.test`;
    const first = await createPartner(slug, from);
    const params = { partner_id: first };
    await api.call(partnerRoutes.addPartnerDomain, { as, params, body: { hostname: `${slug}.test` } });
    const style = { colors: { primary: "#112233" } };
    await db
      .updateTable("tenantry.partners")
      .set({ style: JSON.stringify(style) })
      .where("id", "=", first)
      .execute();
    const role = { role: "PARTNER_ROOT", partner_id: first } as const;
    await api.call(userRoutes.createUser, { as, body: { email, name: "", ...role } });
    const client = await insertClient(db, { slug, partner_id: first });
    await remove("clients", client);
    if (from === "git") await remove("partners", first);
    else await api.call(partnerRoutes.deletePartner, { as, params: { id: first }, query: { cascade: "true" } });

    const second = await createPartner(slug, to);
    expect(second).not.toBe(first);
    const found = (await api.call(partnerRoutes.getPartner, { as, params: { id: second } })).body;
    expect(found).toMatchObject({ slug, managed_by: to, clients: 0 });
    const row = db.selectFrom("tenantry.partners").select("style").where("id", "=", second);
    expect(await row.executeTakeFirst()).toEqual({ style: {} });
    const domains = await api.call(partnerRoutes.listPartnerDomains, { as, params: { partner_id: second } });
    expect(domains.body.data).toEqual([]);
    // The former root is nobody until added again, and sees none of the former partner's books then.
    expect((await api.fetch("/session", { email })).status).toBe(403);
    await api.call(userRoutes.createUser, { as, body: { email, name: "", role: "PARTNER_ROOT", partner_id: second } });
    expect((await api.fetch("/session", { email })).status).toBe(200);
    expect((await api.fetch(`/client/${client}/invoices`, { email })).status).toBe(404);
    expect(await (await api.fetch("/client", { email })).json()).toMatchObject({ data: [] });
  },
);

test("a removed domain can be added again, also by another partner, and must be verified again", async () => {
  const { north, south } = api.partners;
  const body = { hostname: "agents.moving.test" };
  for (const partner_id of [north, north, south, north]) {
    const added = await api.call(partnerRoutes.addPartnerDomain, { as, params: { partner_id }, body });
    expect(added.body.verified_at).toBeNull();
    await api.database.pool.query("update tenantry.partner_domains set verified_at = now() where id = $1", [
      added.body.id,
    ]);
    const params = { partner_id, domain_id: added.body.id };
    await api.call(partnerRoutes.removePartnerDomain, { as, params });
  }
});

test.each(returns)(
  "a pool entry of $from that is recreated in $to is unbound and accepts instances",
  async ({ from, to }) => {
    const { db } = api.database;
    const gateway_id = `pool-${from}-${to}`;
    const create = async (by: Manager, max_instances: number) =>
      by === "git"
        ? insertPoolEntry(db, { gateway_id, max_instances, owner: OWNER })
        : (await api.call(aiGatewayRoutes.createAiGateway, { as, body: { gateway_id, max_instances } })).body.id;
    const bind = async (ai_gateway_pool_id: string) =>
      insertInstance(db, await insertClient(db), { ai_gateway_id: gateway_id, ai_gateway_pool_id });
    const first = await create(from, 1);
    await remove("instances", await bind(first));
    if (from === "git") await remove("ai_gateways", first);
    else await api.call(aiGatewayRoutes.deleteAiGateway, { as, params: { id: first } });
    const second = await create(to, 2);
    const { body } = await api.call(aiGatewayRoutes.getAiGateway, { as, params: { id: second } });
    expect(body).toMatchObject({ bound: 0, max_instances: 2, enabled: true, managed_by: to });
    await bind(second);
    expect((await api.call(aiGatewayRoutes.getAiGateway, { as, params: { id: second } })).body.bound).toBe(1);
  },
);

test("gives a user who is removed and invited again none of the former role, instances and link", async () => {
  const { db, pool } = api.database;
  const client_id = await insertClient(db, { partner_id: api.partners.north });
  const instance = await insertInstance(db, client_id);
  const params = { client_id };
  const invite = async (role: "ADMIN" | "BASE_USER") => {
    const body = { email: "ada@back.test", role, instance_ids: [instance] };
    return (await api.call(clientUserRoutes.inviteClientUser, { as: "north", params, body })).body;
  };
  const first = await invite("ADMIN");
  await pool.query(
    "update tenantry.client_users set status = 'validated', validated_at = now(), token_hash = 'x' where id = $1",
    [first.id],
  );
  await api.call(clientUserRoutes.removeClientUser, { as: "north", params: { client_id, id: first.id } });
  const second = await invite("BASE_USER");
  expect(second.id).not.toBe(first.id);
  expect(second).toMatchObject({ status: "invited", role: "BASE_USER", validated_at: null, instance_ids: [instance] });
  const { rows } = await pool.query("select id, token_hash from tenantry.client_users where client_id = $1", [
    client_id,
  ]);
  expect(rows).toEqual([{ id: second.id, token_hash: null }]);
});

test.each(returns)("a dashboard user of $from that is recreated in $to has only the new role", async ({ from, to }) => {
  const { db } = api.database;
  const email = `user@${from}-${to}.test`;
  const create = async (by: Manager, role: "ROOT" | "PARTNER_ROOT", partner_id: string | null) => {
    const values = { email, name: "", role, partner_id };
    if (by === "dashboard") {
      const body = { email, name: "", role, ...(partner_id !== null && { partner_id }) };
      return (await api.call(userRoutes.createUser, { as, body })).body.id;
    }
    const row = db
      .insertInto("tenantry.dashboard_users")
      .values({ ...values, owner: OWNER })
      .returning("id");
    return (await row.executeTakeFirstOrThrow()).id;
  };
  const session = async () => {
    const response = await api.fetch("/session", { email });
    return [
      response.status,
      response.ok ? ((await response.json()) as { user: { role: string } }).user.role : undefined,
    ];
  };
  const first = await create(from, "ROOT", null);
  expect(await session()).toEqual([200, "ROOT"]);
  if (from === "git") await remove("dashboard_users", first);
  else await api.call(userRoutes.deleteUser, { as, params: { user_id: first } });
  expect((await session())[0]).toBe(403);
  await create(to, "PARTNER_ROOT", api.partners.south);
  expect(await session()).toEqual([200, "PARTNER_ROOT"]);
});
