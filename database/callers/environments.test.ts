/** Two environments in one database: what each one's roles read and change. */
import { Kysely, PostgresDialect, type RawBuilder, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dedicatedGatewayId } from "#domain/ai-gateways/gateway-selection.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { clientStates, gateRefusal, instanceStates } from "#domain/tenants/instance-state.ts";
import { resolvedTenant } from "#workers/contracts/tenant-entry.ts";
import { BOOKKEEPING_TABLES } from "../schema/bookkeeping.ts";
import { readTenantCounts } from "../tenants/tenant-counts.ts";
import { insertClient, insertClientUser, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { databaseRoles } from "./roles.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ environments });
  const { db } = database;
  for (const environment of environments) {
    const client = await insertClient(db, { slug: "acme", environment });
    const instance = await insertInstance(db, client, { worker_name: `tenant-acme of ${environment}` });
    const email = `user@${environment}.example`;
    await insertClientUser(db, { client_id: client, email, status: "validated" }, [instance]);
    await db
      .insertInto("tenantry.dashboard_users")
      .values({ environment, email: `root@${environment}.example`, role: "ROOT" })
      .execute();
    await db.insertInto("tenantry.credit_pools").values({ client_id: client }).execute();
  }
});
afterAll(() => database.stop());

/** Returns the result of a statement for a role. */
async function as<T>(role: string, statement: RawBuilder<T>): Promise<T[]> {
  return database.db.transaction().execute(async (transaction) => {
    await sql`set local role ${sql.id(role)}`.execute(transaction);
    return (await statement.execute(transaction)).rows;
  });
}

const resolve = async (environment: Environment, email: string | null = null) => {
  const statement = sql<{ value: unknown }>`select api.resolve_tenant('acme', ${email}) as value`;
  return resolvedTenant.parse((await as(databaseRoles(environment).dispatch, statement))[0]?.value);
};

test.each(environments)(
  "the dispatch role of %s resolves and lists only its own environment's instances",
  async (own) => {
    const { tenant } = await resolve(own);
    expect(tenant).toMatchObject({ environment: own, worker_name: `tenant-acme of ${own}` });
    const active = await as(
      databaseRoles(own).dispatch,
      sql<{ value: { worker_name: string }[] }>`select api.active_tenants() as value`,
    );
    expect(active[0]?.value.map(({ worker_name }) => worker_name)).toEqual([`tenant-acme of ${own}`]);
  },
);

test("users and roots of one environment have no role in another", async () => {
  for (const own of environments) {
    for (const other of environments) {
      const same = own === other;
      expect((await resolve(own, `user@${other}.example`)).role).toBe(same ? "ADMIN" : null);
      expect((await resolve(own, `root@${other}.example`)).role).toBe(same ? "ROOT" : null);
    }
  }
});

describe("a provisioner", () => {
  const { provisioner } = databaseRoles("development");

  test("reads, changes and deletes only rows of its own environment, even by keys of another", async () => {
    const slugs = await as(provisioner, sql`select slug, environment from tenantry.clients`);
    expect(slugs).toEqual([{ slug: "acme", environment: "development" }]);
    await as(provisioner, sql`update tenantry.clients set name = 'changed' where slug = 'acme'`);
    await as(provisioner, sql`delete from tenantry.dashboard_users`);
    const { db } = database;
    const clients = await db
      .selectFrom("tenantry.clients")
      .select(["environment", "name"])
      .orderBy("environment")
      .execute();
    expect(clients.map(({ environment, name }) => [environment, name])).toEqual([
      ["development", "changed"],
      ["production", "acme"],
      ["staging", "acme"],
    ]);
    const roots = await db.selectFrom("tenantry.dashboard_users").select("environment").execute();
    expect(roots.map(({ environment }) => environment).toSorted()).toEqual(["production", "staging"]);
  });

  test("inserts rows of its own environment by default, and none of another", async () => {
    const made = await as(
      provisioner,
      sql`insert into tenantry.partners (slug, name) values ('new', 'New') returning environment`,
    );
    expect(made).toEqual([{ environment: "development" }]);
    const foreign = sql`insert into tenantry.partners (slug, name, environment) values ('new', 'New', 'production')`;
    await expect(as(provisioner, foreign)).rejects.toThrow(/row-level security/);
    const moved = sql`update tenantry.partners set environment = 'production' where slug = 'new'`;
    await expect(as(provisioner, moved)).rejects.toThrow(/row-level security/);
  });

  test("binds a pool entry of another environment, but cannot change it", async () => {
    await database.pool.query("insert into tenantry.ai_gateways (gateway_id, max_instances) values ('shared', 5)");
    const bind = sql`update tenantry.instances set (ai_gateway_id, ai_gateway_pool_id) =
      (select gateway_id, id from tenantry.ai_gateways where gateway_id = 'shared') returning ai_gateway_id`;
    expect(await as(provisioner, bind)).toEqual([{ ai_gateway_id: "shared" }]);
    await as(provisioner, sql`update tenantry.ai_gateways set enabled = false`);
    await as(provisioner, sql`delete from tenantry.ai_gateways`);
    const entries = await database.db.selectFrom("tenantry.ai_gateways").select(["gateway_id", "enabled"]).execute();
    expect(entries).toEqual([{ gateway_id: "shared", enabled: true }]);
  });
});

test("the service's role reads only its own environment's rows of every table", async () => {
  const { rows } = await database.pool.query<{ name: string; secured: boolean }>(
    `select relname as name, relrowsecurity as secured from pg_class
     where relnamespace = 'tenantry'::regnamespace and relkind = 'r' and relname <> all ($1)`,
    [[...BOOKKEEPING_TABLES]],
  );
  expect(rows.filter(({ secured }) => !secured)).toEqual([]);
  const { service } = databaseRoles("staging");
  for (const table of ["clients", "instances", "client_users", "client_user_instances", "credit_pools"]) {
    expect([table, await as(service, sql`select 1 as one from ${sql.table(`tenantry.${table}`)}`)]).toEqual([
      table,
      [{ one: 1 }],
    ]);
  }
  const seen = await as(service, sql<{ email: string }>`select email from tenantry.client_users`);
  expect(seen).toEqual([{ email: "user@staging.example" }]);
});

test("an instance has its client's environment", async () => {
  const client = await insertClient(database.db, { environment: "development" });
  await expect(insertInstance(database.db, client, { environment: "production" })).rejects.toMatchObject({
    code: "23503",
  });
});

test("code and database agree on which tenants take traffic, for every environment and state", async () => {
  const rows = environments.flatMap((environment) =>
    clientStates.flatMap((client) => instanceStates.map((instance) => ({ environment, client, instance }))),
  );
  const { rows: answers } = await database.pool.query<{ passes: boolean }>(
    `select tenantry.takes_traffic(environment, client, instance) as passes
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as t (environment, client, instance, place)
     order by place`,
    [
      rows.map(({ environment }) => environment),
      rows.map(({ client }) => client),
      rows.map(({ instance }) => instance),
    ],
  );
  const code = rows.map(
    ({ environment, client, instance }) => gateRefusal(environment, client, instance) === undefined,
  );
  expect(rows.map((row, index) => ({ ...row, passes: answers[index]?.passes }))).toEqual(
    rows.map((row, index) => ({ ...row, passes: code[index] })),
  );
});

test("callers of one environment get the numbers of tenants and dedicated gateways of each environment", async () => {
  const own = await startTestDatabase({ environments: ["development"] });
  try {
    const { db, pool } = own;
    await pool.query(`insert into tenantry.dashboard_users (email, role, environment)
      values ('a@b.example', 'ROOT', 'staging'), ('a@b.example', 'ROOT', 'development')`);
    const long = "a".repeat(59);
    for (const [slug, environment, gateway] of [
      ["one", "production", "somebody-elses"],
      ["two", "production", dedicatedGatewayId("two", "production")],
      [long, "production", dedicatedGatewayId(long, "production")],
      ["one", "development", dedicatedGatewayId("one", "development")],
    ] as const) {
      await insertInstance(db, await insertClient(db, { slug, environment }), { ai_gateway_id: gateway });
    }
    await insertClient(db, { slug: "without-instance", managed_by: "dashboard" });
    // A client in Git counts from its row on.
    await insertClient(db, { slug: "begun" });
    const provisioner = new pg.Pool({ connectionString: own.urlOf("provisioner", "development"), max: 1 });
    // A connection that is closing when the server stops fails without a listener.
    provisioner.on("error", () => {});
    const asProvisioner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: provisioner }) });
    const counts = {
      production: { tenants: 4, dedicatedGateways: 2 },
      development: { tenants: 1, dedicatedGateways: 1 },
      staging: { tenants: 0, dedicatedGateways: 0 },
    };
    expect(Object.fromEntries(await readTenantCounts(asProvisioner))).toEqual(counts);
    await asProvisioner.destroy();
    // A database before the migration has no counts.
    await pool.query("drop function tenantry.tenant_counts");
    expect(await readTenantCounts(db)).toEqual(new Map());
  } finally {
    await own.stop();
  }
});
