import { afterAll, beforeAll, expect, test } from "vitest";
import { jobKinds } from "#domain/entities/job.ts";
import { readPoolSnapshot } from "./ai-gateways/pool-snapshot.ts";
import { listClients, placeOf } from "./tenants/clients.ts";
import { insertClient, insertInstance, insertPoolEntry } from "./testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { listJobs } from "./work/job-list.ts";

let database: TestDatabase;
let partner: { id: string; slug: string; name: string };
let ids: Record<"acme" | "beta" | "gamma" | "acmeInstance" | "pool", string>;
beforeAll(async () => {
  database = await startTestDatabase();
  const { db } = database;
  partner = await db
    .insertInto("tenantry.partners")
    .values({ slug: "north", name: "North" })
    .returning(["id", "slug", "name"])
    .executeTakeFirstOrThrow();
  const acme = await insertClient(db, { slug: "acme", partner_id: partner.id });
  const beta = await insertClient(db, { slug: "beta", status: "draft" });
  const gamma = await insertClient(db, { slug: "gamma", partner_id: partner.id });
  const pool = await insertPoolEntry(db, { gateway_id: "shared-1", max_instances: 2 });
  await insertPoolEntry(db, { gateway_id: "shared-2", max_instances: 1, environment: "staging", enabled: false });
  const acmeInstance = await insertInstance(db, acme, { ai_gateway_id: "shared-1", ai_gateway_pool_id: pool });
  await insertInstance(db, gamma, { ai_gateway_id: "tenantry-gamma", status: "frozen", access_aud: "aud" });
  ids = { acme, beta, gamma, acmeInstance, pool };
});
afterAll(() => database.stop());

const BY_SLUG = { column: "slug", direction: "asc" } as const;

test("listClients returns each client with its partner, instance and gateway, by slug", async () => {
  const clients = await listClients(database.db, "production", { order: BY_SLUG, limit: 10 });
  expect(clients.map((client) => client.slug)).toEqual(["acme", "beta", "gamma"]);
  expect(clients[0]).toMatchObject({
    id: ids.acme,
    slug: "acme",
    name: "acme",
    billing_plan: "pro",
    status: "production",
    partner,
    instance: {
      id: ids.acmeInstance,
      status: "running",
      environment: "production",
      ai_gateway: { id: "shared-1", pool_id: expect.any(String) },
    },
  });
  expect(clients[1]).toMatchObject({ status: "draft", partner: null, instance: null });
  expect(clients[2]?.instance).toMatchObject({ status: "frozen", ai_gateway: { id: "tenantry-gamma", pool_id: null } });
});

test("listClients filters by partner and returns pages", async () => {
  const page = (options: Partial<Parameters<typeof listClients>[2]>) =>
    listClients(database.db, "production", { order: BY_SLUG, limit: 10, ...options });
  const slugs = async (options: Parameters<typeof page>[0]) => (await page(options)).map((client) => client.slug);
  expect(await slugs({ filter: { partnerId: partner.id } })).toEqual(["acme", "gamma"]);
  const [first, second] = await page({ limit: 2 });
  expect([first?.slug, second?.slug]).toEqual(["acme", "beta"]);
  expect(await slugs({ limit: 2, after: second && placeOf(second, BY_SLUG) })).toEqual(["gamma"]);
});

test("readPoolSnapshot counts bound instances and returns every binding", async () => {
  expect(await readPoolSnapshot(database.db, "production")).toEqual({
    pool: [
      {
        rowId: ids.pool,
        owner: undefined,
        gatewayId: "shared-1",
        environment: undefined,
        declaredBy: "production",
        enabled: true,
        maxInstances: 2,
        bound: 1,
      },
      {
        rowId: expect.any(String),
        owner: undefined,
        gatewayId: "shared-2",
        environment: "staging",
        declaredBy: "production",
        enabled: false,
        maxInstances: 1,
        bound: 0,
      },
    ],
    bindings: new Map([
      ["acme", { gatewayId: "shared-1", pooled: true, clientId: ids.acme, isDeployed: false }],
      ["gamma", { gatewayId: "tenantry-gamma", pooled: false, clientId: ids.gamma, isDeployed: true }],
    ]),
  });
});

test("lists jobs of exactly the kinds that the table accepts", async () => {
  const { db, pool } = database;
  const { rows } = await pool.query<{ check: string }>(
    "select pg_get_constraintdef(oid) as check from pg_constraint where conname = 'jobs_kind_check'",
  );
  const taken = [...(rows[0]?.check ?? "").matchAll(/'([a-z_]+)'/g)].map(([, kind = ""]) => kind);
  expect(taken.toSorted()).toEqual([...jobKinds].toSorted());
  for (const kind of taken) {
    await db
      .insertInto("tenantry.jobs")
      .values({ kind, client_id: ids.acme, slug: "acme", requested_by: "a test" })
      .execute();
  }
  const listed = await listJobs(db, "production", { limit: taken.length });
  expect(listed.map(({ kind }) => kind).toSorted()).toEqual(taken.toSorted());
});
