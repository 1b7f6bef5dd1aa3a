/** What each kind of caller sees and may touch, table by table; each case is proved by breaking the table's policy. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BOOKKEEPING_TABLES } from "../schema/bookkeeping.ts";
import { insertClient, insertClientUser, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { OBJECT_RIGHTS } from "./grants.ts";
import { type CallerKind, databaseRoles, loginKinds, loginRoles } from "./roles.ts";

/** Whose rows there are: of two partners, of nobody's client, and of another environment. */
const OWNERS = ["north", "south", "internal", "elsewhere"] as const;
type Owner = (typeof OWNERS)[number];

/** How each table's row of an owner is found: its column, and the value by owner. */
const rows = new Map<string, { column: string; values: Record<Owner, string> }>();
const dashboardUsers: Partial<Record<Owner | "root", string>> = {};
let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  for (const owner of OWNERS)
    for (const [table, [column, value]] of Object.entries(await seed(owner))) {
      const known = rows.get(table) ?? { column, values: {} as Record<Owner, string> };
      known.values[owner] = value;
      rows.set(table, known);
    }
  dashboardUsers.root = await one(
    "insert into tenantry.dashboard_users (email, role) values ('root@platform.test', 'ROOT') returning id",
  );
});
afterAll(() => database.stop());

async function one(statement: string, values: unknown[] = []): Promise<string> {
  const { rows: found } = await database.pool.query<Record<string, unknown>>(statement, values);
  return String(Object.values(found[0] ?? {})[0]);
}

/** One row of an owner's in every table. */
async function seed(owner: Owner): Promise<Record<string, [column: string, value: string]>> {
  const { db } = database;
  const environment = owner === "elsewhere" ? "development" : "production";
  const partner = await one(
    "insert into tenantry.partners (slug, name, environment) values ($1, $1, $2) returning id",
    [owner, environment],
  );
  const partner_id = owner === "internal" ? null : partner;
  const root = await one(
    "insert into tenantry.dashboard_users (email, role, partner_id, environment) values ($1, 'PARTNER_ROOT', $2, $3) returning id",
    [`root@${owner}.test`, partner, environment],
  );
  dashboardUsers[owner] = root;
  const client = await insertClient(db, { slug: owner, partner_id, environment });
  const instance = await insertInstance(db, client);
  const gateway = await one(
    "insert into tenantry.ai_gateways (gateway_id, max_instances, declared_by) values ($1, 1, $2) returning id",
    [`gateway-${owner}`, environment],
  );
  const user = await insertClientUser(db, { client_id: client, email: `ada@${owner}.test`, status: "validated" }, [
    instance,
  ]);
  const of = (table: string, columns: string, ...values: unknown[]) =>
    one(`insert into tenantry.${table} (${columns}) values (${values.map((_, i) => `$${i + 1}`)}) returning *`, values);
  await of("past_invitations", "token_hash, client_user_id, withdrawn", Buffer.from(owner), user, false);
  await of("credit_pools", "client_id", client);
  const subdivision = await of("client_subdivisions", "client_id, name", client, "one");
  await of("client_user_subdivisions", "client_user_id, client_subdivision_id", user, subdivision);
  const invoice = await of("invoices", "client_id, period_start, period_end", client, "2026-10-01", "2026-11-01");
  await of(
    "invoice_line_items",
    "invoice_id, kind, description, quantity, unit_price_micros, per_units, amount_micros",
    ...[invoice, "other", "x", 1, 1, 1, 1],
  );
  await of("credit_entries", "client_id, kind, amount_micros", client, "purchase", 1);
  await of(
    "usage_daily",
    "client_id, day, metric, quantity, computed_at",
    ...[client, "2026-10-01", "ai_queries", 1, "2026-10-02"],
  );
  const price = await of(
    "prices",
    "environment, plan, metric, unit, per_units, micros, valid_from",
    ...[environment, "pro", "ai_queries", "queries", 1, 1, `2026-10-0${OWNERS.indexOf(owner) + 1}`],
  );
  await of("analytics_events", "instance_id, name", instance, "x");
  await of(
    "instance_health_snapshots",
    "instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms",
    ...[instance, true, true, true, false, false, 1],
  );
  const job = await of(
    "jobs",
    "kind, client_id, instance_id, slug, requested_by, environment",
    "freeze",
    client,
    instance,
    owner,
    "x",
    environment,
  );
  const mail = await of(
    "mails",
    "kind, recipient, client_id, environment",
    "invitation",
    "a@b.test",
    client,
    environment,
  );
  await of("mail_attempts", "mail_id, attempt", mail, 1);
  // Its id is known when it is committed.
  const event = `mail.${owner}`;
  await of("events", "kind, client_id, environment", event, client, environment);
  await of("idempotency_keys", "environment, caller, key, request_hash", environment, root, "k", Buffer.alloc(32));
  const incident = await of(
    "incidents",
    "client_id, instance_id, kind, cause, remedy, environment",
    ...[client, instance, "not_alive", "x", "x", environment],
  );
  await one(
    `insert into tenantry.account_limits (environment, limits, needs, containers) values ($1, '{}', '{}', '{}')
     on conflict (environment) do update set limits = excluded.limits returning environment`,
    [environment],
  );
  await of("account_capacity", "environment, kind, used, most", environment, owner, 1, 1);
  const image = await of(
    "images",
    "environment, reference, gateway, gateway_version",
    ...[environment, `registry.test/${owner}@sha256:${"0".repeat(64)}`, "openclaw", "1.0.0"],
  );
  await database.pool.query("update tenantry.instances set image_id = $1 where id = $2", [image, instance]);
  const bundle = await of(
    "worker_bundles",
    "environment, content_hash, release, content",
    ...[environment, OWNERS.indexOf(owner).toString().repeat(64), "1.0.0", Buffer.from("x")],
  );
  const rollout = await of(
    "rollouts",
    "environment, image_id, waves, soak_minutes, notice_hours, status, requested_by, ended_at",
    ...[environment, image, [100], 0, 0, "succeeded", "x", "2026-10-01"],
  );
  await of("rollout_tenants", "rollout_id, instance_id, wave", rollout, instance, 0);
  await of("findings", "environment, kind, identity", environment, "stack", owner);
  await of("restores", "environment, dumped_at", environment, "2026-10-01");
  await one(
    `insert into tenantry.platform_versions (environment, version) values ($1, '1.0.0')
     on conflict (environment) do update set version = excluded.version returning environment`,
    [environment],
  );
  const domain = await of("partner_domains", "partner_id, hostname", partner, `${owner}.test`);
  const audited = await one("select id from tenantry.audit_log where entity = 'clients' and entity_id = $1", [client]);
  return {
    partners: ["id", partner],
    dashboard_users: ["id", root],
    clients: ["id", client],
    instances: ["id", instance],
    ai_gateways: ["id", gateway],
    users: ["email", `ada@${owner}.test`],
    client_users: ["id", user],
    client_user_instances: ["client_user_id", user],
    past_invitations: ["client_user_id", user],
    client_user_subdivisions: ["client_user_id", user],
    client_subdivisions: ["id", subdivision],
    credit_pools: ["client_id", client],
    invoices: ["id", invoice],
    invoice_line_items: ["invoice_id", invoice],
    credit_entries: ["client_id", client],
    billing_accounts: ["id", client],
    usage_daily: ["client_id", client],
    client_plans: ["client_id", client],
    prices: ["id", price],
    analytics_events: ["instance_id", instance],
    instance_health_snapshots: ["instance_id", instance],
    jobs: ["id", job],
    job_events: ["job_id", job],
    mails: ["id", mail],
    mail_attempts: ["mail_id", mail],
    events: ["kind", event],
    idempotency_keys: ["caller", root],
    incidents: ["id", incident],
    partner_domains: ["id", domain],
    audit_log: ["id", audited],
    account_capacity: ["kind", owner],
    account_limits: ["environment", environment],
    platform_versions: ["environment", environment],
    images: ["id", image],
    worker_bundles: ["id", bundle],
    rollouts: ["id", rollout],
    rollout_tenants: ["rollout_id", rollout],
    findings: ["identity", owner],
    restores: ["environment", environment],
  };
}

interface Identity {
  kind: "platform_root" | "partner_root" | "service" | "provisioner";
  caller?: Owner | "root";
}

/** Whose rows of a table an identity sees. @param broken whether the table's policies are put out of force */
async function seen(table: string, { kind, caller }: Identity, broken = false): Promise<Owner[]> {
  const { column, values } = rows.get(table) ?? { column: "", values: {} as Record<Owner, string> };
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    if (broken) await client.query(`alter table tenantry.${table} disable row level security`);
    await client.query("select set_config('role', $1, true), set_config('tenantry.caller', $2, true)", [
      databaseRoles("production")[kind],
      caller === undefined ? "" : (dashboardUsers[caller] ?? ""),
    ]);
    const found = await client.query<{ value: string }>(`select ${column}::text as value from tenantry.${table}`);
    const all = new Set(found.rows.map(({ value }) => value));
    return OWNERS.filter((owner) => all.has(values[owner]));
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** The schema's own tables, which have no rows of an owner. */
const SHARED_BY_ENVIRONMENTS: readonly string[] = [...BOOKKEEPING_TABLES, "schema_version"];

/** Tables that a kind has a right on, without their schema. */
const tablesOf = (kind: CallerKind, privilege = "SELECT") =>
  OBJECT_RIGHTS.filter(
    ({ to, objectType, privileges }) =>
      to === kind && objectType === "table" && privileges.some((one) => one === privilege),
  )
    .map(({ object }) => object.replace("tenantry.", ""))
    .filter((table) => !SHARED_BY_ENVIRONMENTS.includes(table));

test("every table is under row-level security, and in this test", async () => {
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

/** Prices are of no partner: each root of their environment reads them. */
const SHARED = "prices";
/** Tables of which a root has its own rows alone, or a partner root none. */
const OWN_KEYS = "idempotency_keys";
/** Pool entries are the account's: each environment reads them all, since it may bind those of others. */
const ofProduction = (table: string) => OWNERS.filter((owner) => owner !== "elsewhere" || table === "ai_gateways");

describe("a partner root", () => {
  const north: Identity = { kind: "partner_root", caller: "north" };
  test.each(tablesOf("partner_root"))("sees of %s its own partner's rows alone", async (table) => {
    expect(await seen(table, north)).toEqual(table === SHARED ? ofProduction(table) : ["north"]);
    expect(await seen(table, north, true)).toContain(table === SHARED ? "elsewhere" : "south");
  });

  test.each(tablesOf("partner_root"))(
    "without an identity, or with another kind's, sees nothing of %s",
    async (table) => {
      expect(await seen(table, { kind: "partner_root" })).toEqual([]);
      if (table !== OWN_KEYS) expect(await seen(table, { kind: "partner_root", caller: "root" })).toEqual([]);
    },
  );
});

describe("a platform root", () => {
  const root: Identity = { kind: "platform_root", caller: "root" };
  test.each(tablesOf("platform_root"))("sees of %s its environment's rows alone", async (table) => {
    expect(await seen(table, root)).toEqual(table === OWN_KEYS ? [] : ofProduction(table));
    expect(await seen(table, root, true)).toContain("elsewhere");
  });

  test.each(tablesOf("platform_root"))("that is no root any more sees nothing of %s", async (table) => {
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

/** Runs a statement as the root of north, and takes it back. @returns rows that it changed */
async function changed(statement: string, values: unknown[] = []): Promise<number | null> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('role', $1, true), set_config('tenantry.caller', $2, true)", [
      databaseRoles("production").partner_root,
      dashboardUsers.north,
    ]);
    return (await client.query(statement, values)).rowCount;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("a partner root's writes", () => {
  const written = tablesOf("partner_root", "DELETE");
  test.each(written)("delete none of another's in %s", async (table) => {
    const { column, values } = rows.get(table) ?? { column: "", values: {} as Record<Owner, string> };
    expect(await changed(`delete from tenantry.${table} where ${column}::text = $1`, [values.south])).toBe(0);
  });

  test("take and give no client away", async () => {
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

  test("put nobody into another's tenant", async () => {
    const { values: clients } = rows.get("clients") ?? { values: {} as Record<Owner, string> };
    const { values: instances } = rows.get("instances") ?? { values: {} as Record<Owner, string> };
    const { values: users } = rows.get("client_users") ?? { values: {} as Record<Owner, string> };
    const invite = "insert into tenantry.client_users (client_id, email, role) values ($1, 'eve@north.test', 'ADMIN')";
    await expect(changed(invite, [clients.south])).rejects.toThrow(/row-level security/);
    const assign = "insert into tenantry.client_user_instances (client_user_id, instance_id) values ($1, $2)";
    await expect(changed(assign, [users.north, instances.south])).rejects.toThrow(/instances of the same client/);
    await expect(changed(assign, [users.south, instances.north])).rejects.toThrow(/instances of the same client/);
  });

  test("change no audit entry, nor does anyone", async () => {
    await expect(changed("delete from tenantry.audit_log")).rejects.toThrow("permission denied");
    await expect(database.pool.query("update tenantry.audit_log set actor = 'nobody'")).rejects.toMatchObject({
      code: "TN007",
    });
    await expect(database.pool.query("truncate tenantry.audit_log")).rejects.toMatchObject({ code: "TN007" });
  });
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
  test.each(loginKinds)("of %s are the same caller as the first, with the same rights", async (kind) => {
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

test("the dashboard's second login takes a root's role, and inherits none", async () => {
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

test("the dashboard's own role reads nothing, and enters for nobody unknown", async () => {
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
