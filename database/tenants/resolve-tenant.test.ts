import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientStates, gateRefusal, instanceStates } from "#domain/tenants/instance-state.ts";
import { resolvedTenant } from "#workers/contracts/tenant-entry.ts";
import { insertClient, insertClientUser, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";

let database: TestDatabase;
let acme: { client: string; instance: string };
beforeAll(async () => {
  database = await startTestDatabase();
  const { db } = database;
  const client = await insertClient(db, { slug: "acme" });
  acme = { client, instance: await insertInstance(db, client, { worker_name: "tenant-acme", access_aud: "aud-acme" }) };
  const other = await insertClient(db, { slug: "other" });
  const otherInstance = await insertInstance(db, other);
  await db
    .insertInto("tenantry.credit_pools")
    .values({ client_id: client, lifetime_purchased: 10_500_000, lifetime_consumed: 4_000_000 })
    .execute();
  const user = (name: string, status: string, role: string, instances: string[]) =>
    insertClientUser(db, { client_id: client, email: `${name}@acme.example`, status, role }, instances);
  await user("admin", "validated", "ADMIN", [acme.instance]);
  await user("base", "validated", "BASE_USER", [acme.instance]);
  await user("unlinked", "validated", "ADMIN", []);
  // The database rejects such an assignment; if it existed, it would grant nothing.
  const elsewhere = await user("elsewhere", "validated", "ADMIN", []);
  await database.pool.query(
    `set session_replication_role = replica;
     insert into tenantry.client_user_instances values ('${elsewhere}', '${otherInstance}');
     set session_replication_role = origin`,
  );
  await user("invited", "invited", "ADMIN", [acme.instance]);
  await user("rejected", "rejected", "ADMIN", [acme.instance]);
  await insertClientUser(db, { client_id: other, email: "neighbour@other.example", status: "validated" }, [
    otherInstance,
  ]);
  const { id } = await db
    .insertInto("tenantry.partners")
    .values({ slug: "north", name: "North" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("tenantry.dashboard_users")
    .values([
      { email: "root@platform.example", role: "ROOT" },
      { email: "partner@north.example", role: "PARTNER_ROOT", partner_id: id },
    ])
    .execute();
  await database.pool.query(`
    create role stranger nologin;
    grant usage on schema api to stranger`);
});
afterAll(() => database.stop());

/** Calls a function of schema `api` as the dispatch Worker's role. */
async function asRole<T>(role: string, statement: ReturnType<typeof sql<T>>): Promise<T[]> {
  return database.db.transaction().execute(async (transaction) => {
    await sql`set local role ${sql.id(role)}`.execute(transaction);
    return (await statement.execute(transaction)).rows;
  });
}

async function resolve(slug: string, email: string | null) {
  const rows = await asRole(
    "tenantry_dispatch",
    sql<{ value: unknown }>`select api.resolve_tenant(${slug}, ${email}) as value`,
  );
  return resolvedTenant.parse(rows[0]?.value);
}

/** Inserts a service token of a user of acme. @returns its client id at Access */
async function serviceToken(user: string, values: { role?: string; expires_at?: Date } = {}): Promise<string> {
  const id = `${user}-${Math.random().toString(36).slice(2)}`;
  const { id: client_user_id } = await database.db
    .selectFrom("tenantry.client_users")
    .select("id")
    .where("email", "=", `${user}@acme.example`)
    .executeTakeFirstOrThrow();
  const expires_at = new Date(Date.now() + 3_600_000);
  await database.db
    .insertInto("tenantry.service_tokens")
    .values({
      ...{ environment: "production", client_id: acme.client, client_user_id, name: id, role: "ADMIN", expires_at },
      ...{ created_by: "x", access_token_id: id, access_client_id: `${id}.access`, ...values },
    })
    .execute();
  return `${id}.access`;
}

describe("resolve_tenant", () => {
  test("returns the tenant's record in the contract's shape", async () => {
    expect(await resolve("acme", null)).toEqual({
      tenant: {
        client_id: acme.client,
        slug: "acme",
        environment: "production",
        billing_plan: "pro",
        client_status: "production",
        seats: 4,
        credits: { purchased: 10.5, consumed: 4 },
        instance_id: acme.instance,
        instance_status: "running",
        worker_name: "tenant-acme",
        access_aud: "aud-acme",
        partner: null,
      },
      role: null,
      token: null,
    });
  });

  test("returns only the known branding fields of a client's partner", async () => {
    const style = { display_name: "East & Co", colours: { accent: "#123abc" }, support_address: "help@east.example" };
    const { id } = await database.db
      .insertInto("tenantry.partners")
      .values({ slug: "east", name: "East", style: JSON.stringify({ ...style, large: "x".repeat(100_000) }) })
      .returning("id")
      .executeTakeFirstOrThrow();
    const client = await insertClient(database.db, { slug: "probed", partner_id: id });
    await insertInstance(database.db, client);
    expect((await resolve("probed", null)).tenant?.partner).toEqual({
      id,
      name: "East",
      logo_key: null,
      style,
    });
    for (const style of [
      "{}",
      "[]",
      "3",
      JSON.stringify({ colours: [1], display_name: {}, support_address: "nobody" }),
    ]) {
      await database.pool.query("update tenantry.partners set style = $2 where id = $1", [id, style]);
      expect((await resolve("probed", null)).tenant?.partner?.style).toEqual({ colours: {} });
    }
  });

  test("returns no credits for a client without any, and no tenant without an instance", async () => {
    expect((await resolve("other", null)).tenant?.credits).toEqual({ purchased: 0, consumed: 0 });
    await insertClient(database.db, { slug: "planned" });
    expect(await resolve("planned", null)).toEqual({ tenant: null, role: null, token: null });
  });

  test.each([
    ["a validated, linked admin", "admin@acme.example", "ADMIN"],
    ["a validated, linked base user", "base@acme.example", "BASE_USER"],
    ["an e-mail in mixed case", "Admin@ACME.Example", "ADMIN"],
    ["a validated user linked to nothing", "unlinked@acme.example", null],
    ["a validated user linked to another client's instance", "elsewhere@acme.example", null],
    ["an invited user", "invited@acme.example", null],
    ["a user who rejected", "rejected@acme.example", null],
    ["a user of another client", "neighbour@other.example", null],
    ["a partner root", "partner@north.example", null],
    ["a platform root", "ROOT@platform.example", "ROOT"],
    ["a stranger", "nobody@acme.example", null],
    ["an empty e-mail", "", null],
  ])("%s", async (_, email, role) => {
    expect((await resolve("acme", email)).role).toBe(role);
  });

  test("returns no tenant for an unknown slug, also for a platform root", async () => {
    expect(await resolve("nowhere", "admin@acme.example")).toEqual({ tenant: null, role: null, token: null });
    expect(await resolve("nowhere", "root@platform.example")).toEqual({ tenant: null, role: "ROOT", token: null });
    expect((await resolve("ACME", null)).tenant).toBeNull();
  });
});

describe("active_tenants", () => {
  test("pages through exactly the tenants that pass the routing gate", async () => {
    const { db } = database;
    const expected = ["tenant-acme"];
    for (const environment of ["production", "staging", "development"] as const) {
      for (const client of clientStates) {
        for (const instance of instanceStates) {
          const name = `gate-${environment}-${client}-${instance}`;
          const id = await insertClient(db, { slug: name, environment, status: client });
          await insertInstance(db, id, { status: instance, worker_name: name });
          if (environment === "production" && gateRefusal(environment, client, instance) === undefined) {
            expected.push(name);
          }
        }
      }
    }
    const page = (after: string | null) =>
      asRole(
        "tenantry_dispatch",
        sql<{
          value: { instance_id: string; worker_name: string }[];
        }>`select api.active_tenants(${after}, 7) as value`,
      );
    const names: string[] = [];
    for (let after: string | null = null; ; ) {
      const tenants: { instance_id: string; worker_name: string }[] = (await page(after))[0]?.value ?? [];
      names.push(...tenants.map(({ worker_name }) => worker_name));
      const last = tenants.at(-1);
      if (last === undefined) break;
      after = last.instance_id;
    }
    const own = names.filter((name) => name.startsWith("gate-") || name === "tenant-acme");
    expect(own.toSorted()).toEqual(expected.toSorted());
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("rights", () => {
  const calls = [
    sql`select api.resolve_tenant('acme')`,
    sql`select api.active_tenants()`,
    sql`select api.resolve_door('00')`,
    sql`select api.touch_door('00000000-0000-4000-8000-000000000000')`,
    sql`select api.record_door_refusal('00000000-0000-4000-8000-000000000000', 'timestamp')`,
  ];

  test("no role may call a function that it was not granted", async () => {
    for (const call of calls) await expect(asRole("stranger", call)).rejects.toMatchObject({ code: "42501" });
    for (const call of calls) expect(await asRole("tenantry_dispatch", call)).toHaveLength(1);
  });

  test("the dispatch Worker's role reads no table", async () => {
    await expect(asRole("tenantry_dispatch", sql`select from tenantry.clients`)).rejects.toMatchObject({
      code: "42501",
    });
  });

  test("every function of schema api is closed to the public and has a fixed search path", async () => {
    const { rows } = await database.pool.query(`
      select p.proname from pg_proc p, lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace = 'api'::regnamespace and a.grantee = 0
      union
      select proname from pg_proc where pronamespace = 'api'::regnamespace and not proconfig @> '{search_path=pg_catalog}'`);
    expect(rows).toEqual([]);
  });
});

describe("resolve_tenant of a service token", () => {
  const standing = async (clientId: string, slug = "acme") => {
    const { role, token } = await resolve(slug, clientId);
    return { role, token };
  };
  const refused = { role: null, token: { email: null, expires_at: null } };

  test.each([
    ["admin", "ADMIN", "ADMIN"],
    ["admin", "BASE_USER", "BASE_USER"],
    ["base", "ADMIN", "BASE_USER"],
  ])("of %s with the role %s has the lower of both roles", async (user, role, expected) => {
    const expires_at = new Date(Date.now() + 60_000);
    const id = await serviceToken(user, { role, expires_at });
    expect(await standing(id.toUpperCase())).toEqual({
      role: expected,
      token: { email: `${user}@acme.example`, expires_at: expires_at.getTime() / 1000 },
    });
    expect(await standing(id, "other")).toEqual(refused);
  });

  test.each([
    ["an invited user", () => serviceToken("invited")],
    ["a rejected user", () => serviceToken("rejected")],
    ["a user without the instance", () => serviceToken("unlinked")],
    ["a user of another instance", () => serviceToken("elsewhere")],
    ["the past", () => serviceToken("admin", { expires_at: new Date(Date.now() - 1000) })],
  ])("is refused for %s", async (_, create) => {
    expect(await standing(await create())).toEqual(refused);
  });

  test("is null for one that the platform did not create, and for an address", async () => {
    expect(await standing("by-hand.access")).toEqual({ role: null, token: null });
    expect(await standing("admin@acme.example")).toEqual({ role: "ADMIN", token: null });
  });

  test("is refused once it is revoked or its user is deleted, and requests an update of the Access group", async () => {
    const { db } = database;
    const revoked = await serviceToken("admin");
    await db.deleteFrom("tenantry.service_tokens").where("access_client_id", "=", revoked).execute();
    const leaver = await insertClientUser(
      db,
      { client_id: acme.client, email: "leaver@acme.example", status: "validated" },
      [acme.instance],
    );
    const orphaned = await serviceToken("leaver");
    expect((await standing(orphaned)).role).toBe("ADMIN");
    await database.pool.query("delete from graphile_worker._private_jobs");
    await db.deleteFrom("tenantry.client_users").where("id", "=", leaver).execute();
    expect([await standing(revoked), await standing(orphaned)]).toEqual([refused, refused]);
    const { rows } = await database.pool.query("select key from graphile_worker._private_jobs");
    expect(rows).toContainEqual({ key: `members:${acme.instance}` });
    const { rows: audited } = await database.pool.query(
      "select action, client_id from tenantry.audit_log where entity = 'service_tokens' and before ->> 'access_client_id' = $1",
      [orphaned],
    );
    expect(audited).toEqual([{ action: "delete", client_id: acme.client }]);
  });

  test("records a use at most once a minute, which is no change of the token", async () => {
    const id = await serviceToken("admin");
    const touch = async () =>
      (await asRole("tenantry_dispatch", sql<{ done: boolean }>`select api.touch_service_token(${id}) as done`))[0]
        ?.done;
    expect([await touch(), await touch()]).toEqual([true, false]);
    const { rows } = await database.pool.query(
      "select action from tenantry.audit_log where entity = 'service_tokens' and after ->> 'access_client_id' = $1",
      [id],
    );
    expect(rows).toEqual([{ action: "insert" }]);
  });
});
