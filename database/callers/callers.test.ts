/** What each kind of caller reads and writes, by table. Each case also fails when the table's policy is disabled. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BOOKKEEPING_TABLES } from "../schema/bookkeeping.ts";
import { insertOwnedRows, OWNERS, type OwnedRows, type Owner } from "../testing/owned-rows.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { OBJECT_RIGHTS } from "./grants.ts";
import { type CallerKind, databaseRoles, loginKinds, loginRoles } from "./roles.ts";

let database: TestDatabase;
let rows: OwnedRows["rows"];
let dashboardUsers: OwnedRows["dashboardUsers"];

beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  ({ rows, dashboardUsers } = await insertOwnedRows(database));
});
afterAll(() => database.stop());

interface Identity {
  kind: Exclude<CallerKind, "dispatch" | "dashboard">;
  caller?: Owner | "root";
}

/** The id of the user in whose name an identity acts: a client's user for its kinds, else a dashboard user. */
function idOf({ kind, caller }: Identity): string {
  if (caller === undefined) return "";
  const users = kind === "client_admin" || kind === "client_user" ? rows.get("client_users")?.values : dashboardUsers;
  return (users as Partial<Record<string, string>>)[caller] ?? dashboardUsers[caller] ?? "";
}

/** Returns the owners whose rows an identity reads. @param broken disables the table's policies */
async function seen(table: string, identity: Identity, broken = false): Promise<Owner[]> {
  const { column, values } = rows.get(table) ?? { column: "", values: {} as Record<Owner, string> };
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    if (broken) await client.query(`alter table tenantry.${table} disable row level security`);
    await client.query("select set_config('role', $1, true), set_config('tenantry.caller', $2, true)", [
      databaseRoles("production")[identity.kind],
      idOf(identity),
    ]);
    const found = await client.query<{ value: string }>(`select ${column}::text as value from tenantry.${table}`);
    const all = new Set(found.rows.map(({ value }) => value));
    return OWNERS.filter((owner) => all.has(values[owner]));
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Tables without an owner's rows. */
const SHARED_BY_ENVIRONMENTS: readonly string[] = [...BOOKKEEPING_TABLES, "schema_version"];

/** Returns tables on which a kind has a right. */
const tablesOf = (kind: CallerKind, privilege = "SELECT") =>
  OBJECT_RIGHTS.filter(
    ({ to, objectType, privileges }) =>
      to === kind && objectType === "table" && privileges.some((one) => one === privilege),
  )
    .map(({ object }) => object.replace("tenantry.", ""))
    .filter((table) => !SHARED_BY_ENVIRONMENTS.includes(table));

test("every table has row-level security and is in this test", async () => {
  const { rows: found } = await database.pool.query<{ name: string; secured: boolean }>(
    `select relname as name, relrowsecurity as secured from pg_class
     where relnamespace = 'tenantry'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ($1)`,
    [SHARED_BY_ENVIRONMENTS],
  );
  expect(found.filter(({ secured }) => !secured)).toEqual([]);
  expect(found.map(({ name }) => name).toSorted()).toEqual([...rows.keys()].toSorted());
  expect(OBJECT_RIGHTS.flatMap(({ to }) => tablesOf(to)).filter((table) => !rows.has(table))).toEqual([]);
});

/** Prices belong to no partner: each root of their environment reads them. */
const SHARED = "prices";
/** Tables in which a root reads only its own rows, and a partner root none. */
const OWN_KEYS = "idempotency_keys";
/** Environments can bind each other's pool entries, so each reads them all. */
const ofProduction = (table: string) => OWNERS.filter((owner) => owner !== "elsewhere" || table === "ai_gateways");

describe("a partner root", () => {
  const north: Identity = { kind: "partner_root", caller: "north" };
  test.each(tablesOf("partner_root"))("reads only its own partner's rows of %s", async (table) => {
    expect(await seen(table, north)).toEqual(table === SHARED ? ofProduction(table) : ["north"]);
    expect(await seen(table, north, true)).toContain(table === SHARED ? "elsewhere" : "south");
  });

  test.each(tablesOf("partner_root"))(
    "reads no rows of %s without an identity, or with another kind's",
    async (table) => {
      expect(await seen(table, { kind: "partner_root" })).toEqual([]);
      if (table !== OWN_KEYS) expect(await seen(table, { kind: "partner_root", caller: "root" })).toEqual([]);
    },
  );
});

describe.each(["client_admin", "client_user"] as const)("a %s", (kind) => {
  const north: Identity = { kind, caller: "north" };
  const ownTables = tablesOf(kind).filter((table) => table !== OWN_KEYS);

  test.each(ownTables)("reads only its own client's rows of %s", async (table) => {
    expect(await seen(table, north)).toEqual(["north"]);
    expect(await seen(table, north, true)).toContain("south");
  });

  test.each(tablesOf(kind))("reads no rows of %s without an identity, or with another kind's", async (table) => {
    expect(await seen(table, { kind })).toEqual([]);
    expect(await seen(table, { kind, caller: "root" })).toEqual([]);
    expect(await seen(table, { kind, caller: "elsewhere" })).toEqual([]);
  });
});

describe("a platform root", () => {
  const root: Identity = { kind: "platform_root", caller: "root" };
  test.each(tablesOf("platform_root"))("reads only its environment's rows of %s", async (table) => {
    expect(await seen(table, root)).toEqual(table === OWN_KEYS ? [] : ofProduction(table));
    expect(await seen(table, root, true)).toContain("elsewhere");
  });

  test.each(tablesOf("platform_root"))("that was removed reads no rows of %s", async (table) => {
    if (table !== OWN_KEYS) expect(await seen(table, { kind: "platform_root", caller: "north" })).toEqual([]);
    expect(await seen(table, { kind: "platform_root" })).toEqual([]);
  });
});

describe.each(["service", "provisioner"] as const)("the %s", (kind) => {
  test.each(tablesOf(kind))("sees of %s its environment's rows alone", async (table) => {
    expect(await seen(table, { kind })).toEqual(ofProduction(table));
    expect(await seen(table, { kind }, true)).toContain("elsewhere");
  });
});

/** Runs a statement as the root of north, or as another person there, and rolls it back. @returns changed rows */
async function changed(
  statement: string,
  values: unknown[] = [],
  kind: Identity["kind"] = "partner_root",
): Promise<number | null> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('role', $1, true), set_config('tenantry.caller', $2, true)", [
      databaseRoles("production")[kind],
      idOf({ kind, caller: "north" }),
    ]);
    return (await client.query(statement, values)).rowCount;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("a partner root's writes", () => {
  const written = tablesOf("partner_root", "DELETE");
  test.each(written)("delete no rows of another partner in %s", async (table) => {
    const { column, values } = rows.get(table) ?? { column: "", values: {} as Record<Owner, string> };
    expect(await changed(`delete from tenantry.${table} where ${column}::text = $1`, [values.south])).toBe(0);
  });

  test("move no client from or to another partner", async () => {
    const { values: clients } = rows.get("clients") ?? { values: {} as Record<Owner, string> };
    const { values: partners } = rows.get("partners") ?? { values: {} as Record<Owner, string> };
    const give = "update tenantry.clients set partner_id = $2 where id = $1";
    expect(await changed(give, [clients.south, partners.north])).toBe(0);
    await expect(changed(give, [clients.north, partners.south])).rejects.toThrow(/row-level security/);
    await expect(changed(give, [clients.north, null])).rejects.toThrow(/row-level security/);
    const insert =
      "insert into tenantry.clients (slug, name, billing_plan, partner_id) values ('new', 'New', 'free', $1)";
    await expect(changed(insert, [partners.south])).rejects.toThrow(/row-level security/);
    expect(await changed(insert, [partners.north])).toBe(1);
  });

  test("add no user to another partner's tenant", async () => {
    const { values: clients } = rows.get("clients") ?? { values: {} as Record<Owner, string> };
    const { values: instances } = rows.get("instances") ?? { values: {} as Record<Owner, string> };
    const { values: users } = rows.get("client_users") ?? { values: {} as Record<Owner, string> };
    const invite = "insert into tenantry.client_users (client_id, email, role) values ($1, 'eve@north.test', 'ADMIN')";
    await expect(changed(invite, [clients.south])).rejects.toThrow(/row-level security/);
    const assign = "insert into tenantry.client_user_instances (client_user_id, instance_id) values ($1, $2)";
    await expect(changed(assign, [users.north, instances.south])).rejects.toThrow(/instances of the same client/);
    await expect(changed(assign, [users.south, instances.north])).rejects.toThrow(/instances of the same client/);
  });

  test("create no service token for another partner's user", async () => {
    const { values: clients } = rows.get("clients") ?? { values: {} as Record<Owner, string> };
    const { values: users } = rows.get("client_users") ?? { values: {} as Record<Owner, string> };
    const create = `insert into tenantry.service_tokens
      (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
      values ('production', $1, $2, 'laptop', 'ADMIN', 'x', now(), 'new', 'new.access')`;
    await expect(changed(create, [clients.south, users.south])).rejects.toThrow(/row-level security/);
    await expect(changed(create, [clients.north, users.south])).rejects.toThrow(/row-level security/);
    await expect(changed(create, [clients.south, users.north])).rejects.toThrow(/row-level security/);
    expect(await changed(create, [clients.north, users.north])).toBe(1);
  });

  test("change no audit entry, like every other caller's", async () => {
    await expect(changed("delete from tenantry.audit_log")).rejects.toThrow("permission denied");
    await expect(database.pool.query("update tenantry.audit_log set actor = 'nobody'")).rejects.toMatchObject({
      code: "TN007",
    });
    await expect(database.pool.query("truncate tenantry.audit_log")).rejects.toMatchObject({ code: "TN007" });
  });
});

describe("a client's ADMIN", () => {
  const as = (statement: string, values: unknown[] = []) => changed(statement, values, "client_admin");
  const idsOf = (table: string) => rows.get(table)?.values ?? ({} as Record<Owner, string>);

  test.each(tablesOf("client_admin", "DELETE"))("deletes no rows of another client in %s", async (table) => {
    const { column, values } = rows.get(table) ?? { column: "", values: {} as Record<Owner, string> };
    expect(await as(`delete from tenantry.${table} where ${column}::text = $1`, [values.south])).toBe(0);
  });

  test.each([
    ["clients", "name = 'Other'"],
    ["clients", "partner_id = null"],
    ["clients", "delete_after = null, slug = 'south-2'"],
    ["instances", "status = 'stopped'"],
    ["instances", "image_id = null, is_pinned = true"],
    ["instances", "reported_gateway = 'other', is_pinned = true"],
    ["instances", "pinned_by = 'ben@north.test'"],
  ])("cannot change %s by setting %s", async (table, change) => {
    const set = `update tenantry.${table} set ${change} where id = $1`;
    await expect(as(set, [idsOf(table).north])).rejects.toThrow("ask your operator");
    expect(await as(set, [idsOf(table).south])).toBe(0);
  });

  test("changes the egress policy of its instance", async () => {
    const set = `update tenantry.instances set egress = '{"mode": "audit"}' where id = $1`;
    expect(await as(set, [idsOf("instances").north])).toBe(1);
    expect(await as(set, [idsOf("instances").south])).toBe(0);
  });

  test.each(["prices", "dashboard_users", "partner_domains", "ai_gateways", "rollouts", "worker_bundles", "findings"])(
    "cannot read %s",
    async (table) => {
      await expect(as(`select from tenantry.${table}`)).rejects.toThrow("permission denied");
    },
  );

  test("adds users and tokens to its own client alone", async () => {
    const invite = "insert into tenantry.client_users (client_id, email, role) values ($1, 'eve@north.test', 'ADMIN')";
    expect(await as(invite, [idsOf("clients").north])).toBe(1);
    await expect(as(invite, [idsOf("clients").south])).rejects.toThrow(/row-level security/);
    const move = "update tenantry.client_users set client_id = $2 where id = $1";
    await expect(as(move, [idsOf("client_users").north, idsOf("clients").south])).rejects.toThrow(/row-level security/);
  });
});

test.each([
  ["tables", tablesOf("client_user", "INSERT")],
  ["rows", tablesOf("client_user", "UPDATE")],
])("a client's BASE_USER changes no %s, except the keys of its requests", (_, tables) => {
  expect(tables).toEqual(["idempotency_keys"]);
});

test("a request's role and identity end with its transaction", async () => {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query(`set local session authorization ${databaseRoles("production").dashboard}`);
    const entered = await client.query(
      "select dashboard.enter('ROOT@north.test', '', '') as caller, current_user as role",
    );
    expect(entered.rows[0]).toMatchObject({ caller: { email: "root@north.test", role: "PARTNER_ROOT" } });
    expect((await client.query("select current_user as role")).rows).toEqual([{ role: "tenantry_partner_root" }]);
    await client.query("commit");
    const after = await client.query(
      "select current_setting('role') as role, current_setting('tenantry.caller', true) as caller",
    );
    expect(after.rows).toEqual([{ role: "none", caller: "" }]);
  } finally {
    client.release(true);
  }
});

describe.each(["production", "staging"] as const)("the second logins of %s", (environment) => {
  test.each(loginKinds)("of %s have the identity and rights of the first", async (kind) => {
    const [first, second] = loginRoles(environment, kind);
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      if (environment === "staging") await client.query(`create role ${first}`);
      await client.query(
        `create role ${second}; grant ${first} to ${second}; grant usage on schema tenantry to ${first}`,
      );
      await client.query(`set local session authorization ${second}`);
      const { rows } = await client.query(
        "select tenantry.caller_kind() as kind, tenantry.caller_environment() as environment, pg_has_role($1, 'usage') as inherits",
        [first],
      );
      expect(rows).toEqual([{ kind, environment, inherits: true }]);
    } finally {
      await client.query("rollback");
      client.release(true);
    }
  });
});

test("the dashboard's second login sets a root's role, and inherits none", async () => {
  const [first, second] = loginRoles("production", "dashboard");
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query(`create role ${second}; grant ${first} to ${second}`);
    await client.query(`set local session authorization ${second}`);
    await client.query("savepoint before");
    await expect(client.query("select from tenantry.clients")).rejects.toThrow("permission denied");
    await client.query("rollback to before");
    await client.query("select dashboard.enter('root@north.test', '', '')");
    expect((await client.query("select current_user as role")).rows).toEqual([{ role: "tenantry_partner_root" }]);
  } finally {
    await client.query("rollback");
    client.release(true);
  }
});

test("the dashboard's own role reads nothing, and rejects an unknown user", async () => {
  const client = await database.pool.connect();
  try {
    await client.query(`set session authorization ${databaseRoles("production").dashboard}`);
    expect(
      (await client.query("select dashboard.enter($1, '', '') as caller", [`${randomUUID()}@x.test`])).rows,
    ).toEqual([{ caller: null }]);
    await expect(client.query("select from tenantry.clients")).rejects.toThrow("permission denied");
    await expect(client.query(`set role ${databaseRoles("production").service}`)).rejects.toThrow("permission denied");
    await expect(client.query("select tenantry.enqueue('production', 'mail', '{}', 'x')")).rejects.toThrow(
      "permission denied",
    );
  } finally {
    client.release(true);
  }
});
