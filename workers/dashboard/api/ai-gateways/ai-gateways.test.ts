/** The pool of AI gateways over HTTP. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const as = "root";
const create = async (gateway_id: string, max_instances: number, more: Record<string, unknown> = {}) =>
  (await api.call(aiGatewayRoutes.createAiGateway, { as, body: { gateway_id, max_instances, ...more } })).body;
const update = (id: string, body: Record<string, unknown>) => ({ as, params: { id }, body }) as const;
/** A client whose instance binds an entry. */
async function bind(entry: { id: string; gateway_id: string }, slug: string, environment = "production") {
  const { db } = api.database;
  const client = await insertClient(db, { slug, environment });
  const gateway = { ai_gateway_id: entry.gateway_id, ai_gateway_pool_id: entry.id };
  return insertInstance(db, client, { ...gateway, worker_name: `tenant-${slug}-${environment}` });
}

test("counts the instances of every environment that bind an entry, and lists those of its own", async () => {
  const entry = await create("shared-eu", 5);
  expect(entry).toMatchObject({ environment: null, declared_by: "production", enabled: true, bound: 0, version: 1 });
  expect(entry.managed_by).toBe("dashboard");
  const first = await bind(entry, "alpha");
  await bind(entry, "beta");
  await bind(entry, "far", "staging");
  const params = { id: entry.id };
  expect((await api.call(aiGatewayRoutes.getAiGateway, { as, params })).body.bound).toBe(3);
  const page = await api.call(aiGatewayRoutes.listBoundInstances, { as, params, query: { limit: "1" } });
  const [alpha] = page.body.data;
  expect(alpha).toMatchObject({ id: first, status: "running", client: { slug: "alpha" }, managed_by: "git" });
  const after = page.body.pagination.next ?? "";
  const next = await api.call(aiGatewayRoutes.listBoundInstances, { as, params, query: { limit: "1", after } });
  expect(next.body.data.map(({ client }) => client.slug)).toEqual(["beta"]);
  expect(next.body.pagination.next).toBeNull();
});

test("lists each entry of the pool once, by gateway ID", async () => {
  for (const id of ["list-c", "list-a", "list-b"]) await create(id, 0);
  const seen: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const query: Record<string, string> = { limit: "2", ...(after !== "" && { after }) };
    const { body } = await api.call(aiGatewayRoutes.listAiGateways, { as, query });
    seen.push(...body.data.map(({ gateway_id }) => gateway_id));
    after = body.pagination.next;
  }
  expect(seen.filter((id) => id.startsWith("list-"))).toEqual(["list-a", "list-b", "list-c"]);
  expect(seen).toEqual([...new Set(seen)].toSorted());
});

test("refuses a limit below the bound instances, and an environment other than theirs", async () => {
  const entry = await create("tight", 3);
  await bind(entry, "tight-1");
  await bind(entry, "tight-2");
  const small = await api.refused(aiGatewayRoutes.updateAiGateway, update(entry.id, { max_instances: 1 }));
  expect(small).toMatchObject({ status: 409, error: { code: "conflict" } });
  expect(small.error.message).toContain("in use by 2 instances");
  const elsewhere = await api.refused(aiGatewayRoutes.updateAiGateway, update(entry.id, { environment: "staging" }));
  expect([elsewhere.status, elsewhere.error.code]).toEqual([409, "conflict"]);
  const { body } = await api.call(
    aiGatewayRoutes.updateAiGateway,
    update(entry.id, { max_instances: 2, enabled: false }),
  );
  expect(body).toMatchObject({ max_instances: 2, enabled: false, bound: 2, version: 2, environment: null });
  const own = await api.call(aiGatewayRoutes.updateAiGateway, update(entry.id, { environment: "production" }));
  expect(own.body.environment).toBe("production");
});

test("accepts only one of a concurrent binding and reduction of the limit", async () => {
  const { pool } = api.database;
  for (const first of ["claim", "shrink"] as const) {
    const entry = await create(`race-${first}`, 1);
    const client = await insertClient(api.database.db, { slug: `racer-${first}` });
    const instance = await insertInstance(api.database.db, client);
    const claim = {
      text: "update tenantry.instances set ai_gateway_id = $1, ai_gateway_pool_id = $2 where id = $3",
      values: [entry.gateway_id, entry.id, instance],
    };
    const shrink = { text: "update tenantry.ai_gateways set max_instances = 0 where id = $1", values: [entry.id] };
    const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
    try {
      await one.query("begin");
      await one.query(first === "claim" ? claim : shrink);
      const {
        rows: [session],
      } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
      const second = other.query(first === "claim" ? shrink : claim).then(
        () => "done",
        (error: { code: string }) => error.code,
      );
      const waits = async () =>
        (await pool.query("select from pg_locks where pid = $1 and not granted", [session?.pid])).rowCount;
      await expect.poll(waits, { timeout: 30_000 }).toBe(1);
      await one.query("commit");
      expect([first, await second]).toEqual([first, first === "claim" ? "TN008" : "TN002"]);
    } finally {
      one.release();
      other.release();
    }
  }
});

test("refuses to delete bound, outdated and foreign entries, and deletes unbound ones", async () => {
  const entry = await create("leaving", 2);
  const params = { id: entry.id };
  const instance = await bind(entry, "leaving");
  const refused = await api.refused(aiGatewayRoutes.deleteAiGateway, { as, params });
  expect(refused).toMatchObject({ status: 409, error: { code: "conflict", details: { bound: 1 } } });
  await api.database.pool.query("delete from tenantry.instances where id = $1", [instance]);
  const stale = await api.refused(aiGatewayRoutes.deleteAiGateway, { as, params, headers: { "if-match": '"9"' } });
  expect(stale.status).toBe(412);
  expect((await api.call(aiGatewayRoutes.deleteAiGateway, { as, params })).status).toBe(204);
  expect((await api.fetchAs(as, "GET", `/api/ai-gateways/${entry.id}`)).status).toBe(404);
  const reported = await api.database.pool.query(
    "select kind from tenantry.events where data->>'gateway_id' = 'leaving' order by id",
  );
  expect(reported.rows.map(({ kind }) => kind)).toEqual(["ai_gateway.created", "ai_gateway.deleted"]);

  const owner = "urn:pulumi:prod::tenantry::tenantry:index:DatabaseRecord::ai-gateway-of-git";
  const git = await insertPoolEntry(api.database.db, { gateway_id: "of-git", max_instances: 1, owner });
  const foreign = { gateway_id: "of-staging", max_instances: 1, declared_by: "staging", managed_by: "dashboard" };
  const staging = await insertPoolEntry(api.database.db, foreign);
  expect(await api.refused(aiGatewayRoutes.updateAiGateway, update(git, { enabled: false }))).toMatchObject({
    error: { code: "managed_by_git", details: { file: "Pulumi.prod.yaml" } },
  });
  const { body } = await api.call(aiGatewayRoutes.getAiGateway, { as, params: { id: git } });
  expect(body).toMatchObject({ managed_by: "git", declared_in: "Pulumi.prod.yaml" });
  expect((await api.fetchAs(as, "DELETE", `/api/ai-gateways/${git}`)).status).toBe(409);
  expect((await api.fetchAs(as, "PUT", `/api/ai-gateways/${staging}`, { enabled: false })).status).toBe(409);
  expect((await api.fetchAs(as, "GET", `/api/ai-gateways/${staging}`)).status).toBe(200);
});

test("refuses invalid limits, duplicate names and partner roots", async () => {
  await create("taken", 1);
  const status = async (body: unknown, who: "root" | "north" = "root") =>
    (await api.fetchAs(who, "POST", "/api/ai-gateways", body)).status;
  expect(await status({ gateway_id: "taken", max_instances: 1 })).toBe(409);
  expect(await status({ gateway_id: "negative", max_instances: -1 })).toBe(400);
  expect(await status({ gateway_id: "huge", max_instances: 2 ** 31 })).toBe(400);
  expect(await status({ gateway_id: "Odd Name", max_instances: 1 })).toBe(400);
  expect(await status({ gateway_id: "of-north", max_instances: 1 }, "north")).toBe(403);
  expect((await api.fetchAs("north", "GET", "/api/ai-gateways")).status).toBe(403);
});
