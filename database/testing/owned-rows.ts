/** One row of several owners in every table. */
import { insertClient, insertClientUser, insertInstance } from "./fixtures.ts";
import type { TestDatabase } from "./test-database.ts";

/** Owners of rows: two partners, none (an internal client), and another environment. */
export const OWNERS = ["north", "south", "internal", "elsewhere"] as const;
export type Owner = (typeof OWNERS)[number];

export interface OwnedRows {
  /** How to find each table's row of an owner: a column, and its value by owner. */
  rows: ReadonlyMap<string, { column: string; values: Record<Owner, string> }>;
  /** Ids of the owners' roots, and of a platform root. */
  dashboardUsers: Readonly<Partial<Record<Owner | "root", string>>>;
}

export async function insertOwnedRows(database: TestDatabase): Promise<OwnedRows> {
  const rows = new Map<string, { column: string; values: Record<Owner, string> }>();
  const dashboardUsers: Partial<Record<Owner | "root", string>> = {};
  for (const owner of OWNERS) {
    const seeded = await seed(database, owner);
    const [, root] = seeded.dashboard_users ?? [];
    if (root !== undefined) dashboardUsers[owner] = root;
    for (const [table, [column, value]] of Object.entries(seeded)) {
      const known = rows.get(table) ?? { column, values: {} as Record<Owner, string> };
      known.values[owner] = value;
      rows.set(table, known);
    }
  }
  dashboardUsers.root = await queryValue(
    database,
    "insert into tenantry.dashboard_users (email, role) values ('root@platform.test', 'ROOT') returning id",
  );
  return { rows, dashboardUsers };
}

/** Returns the first column of the first row. */
async function queryValue({ pool }: TestDatabase, statement: string, values: unknown[] = []): Promise<string> {
  const { rows } = await pool.query<Record<string, unknown>>(statement, values);
  return String(Object.values(rows[0] ?? {})[0]);
}

async function seed(database: TestDatabase, owner: Owner): Promise<Record<string, [column: string, value: string]>> {
  const { db } = database;
  const one = (statement: string, values: unknown[] = []) => queryValue(database, statement, values);
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
  const client = await insertClient(db, { slug: owner, partner_id, environment });
  const instance = await insertInstance(db, client);
  const gateway = await one(
    "insert into tenantry.ai_gateways (gateway_id, max_instances, declared_by) values ($1, 1, $2) returning id",
    [`gateway-${owner}`, environment],
  );
  const user = await insertClientUser(db, { client_id: client, email: `ada@${owner}.test`, status: "validated" }, [
    instance,
  ]);
  const person = await one("select id from tenantry.users where email = $1", [`ada@${owner}.test`]);
  const insert = (table: string, columns: string, ...values: unknown[]) =>
    one(`insert into tenantry.${table} (${columns}) values (${values.map((_, i) => `$${i + 1}`)}) returning *`, values);
  await insert("past_invitations", "token_hash, client_user_id, withdrawn", Buffer.from(owner), user, false);
  await insert("credit_pools", "client_id", client);
  const subdivision = await insert("client_subdivisions", "client_id, name", client, "one");
  await insert("client_user_subdivisions", "client_user_id, client_subdivision_id", user, subdivision);
  const invoice = await insert("invoices", "client_id, period_start, period_end", client, "2026-10-01", "2026-11-01");
  await insert(
    "invoice_line_items",
    "invoice_id, kind, description, quantity, unit_price_micros, per_units, amount_micros",
    ...[invoice, "other", "x", 1, 1, 1, 1],
  );
  await insert("credit_entries", "client_id, kind, amount_micros", client, "purchase", 1);
  await insert(
    "usage_daily",
    "client_id, day, metric, quantity, computed_at",
    ...[client, "2026-10-01", "ai_queries", 1, "2026-10-02"],
  );
  const price = await insert(
    "prices",
    "environment, plan, metric, unit, per_units, micros, valid_from",
    ...[environment, "pro", "ai_queries", "queries", 1, 1, `2026-10-0${OWNERS.indexOf(owner) + 1}`],
  );
  await insert("analytics_events", "instance_id, name", instance, "x");
  await insert(
    "instance_health_snapshots",
    "instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms",
    ...[instance, true, true, true, false, false, 1],
  );
  const job = await insert(
    "jobs",
    "kind, client_id, instance_id, slug, requested_by, environment",
    "freeze",
    client,
    instance,
    owner,
    "x",
    environment,
  );
  const mail = await insert(
    "mails",
    "kind, recipient, client_id, environment",
    "invitation",
    "a@b.test",
    client,
    environment,
  );
  await insert("mail_attempts", "mail_id, attempt", mail, 1);
  // Its id is assigned at commit.
  const event = `instance.${owner}`;
  const erasure = await insert(
    "erasures",
    "environment, client_id, partner_id, slug, name, requested_by, recipients",
    ...[environment, client, partner_id, owner, owner, `ada@${owner}.test`, ["a@b.test"]],
  );
  await insert("events", "kind, client_id, environment", event, client, environment);
  await insert("idempotency_keys", "environment, caller, key, request_hash", environment, root, "k", Buffer.alloc(32));
  const door = await insert(
    "doors",
    "instance_id, kind, name, key_hash, key_hint, secrets, secret_names, created_by",
    ...[instance, "hmac", "one", Buffer.alloc(32, owner), "hint", Buffer.alloc(64), ["secret"], "x"],
  );
  const channel = await insert(
    "channels",
    "environment, instance_id, kind, door_id, account_id, account_name, credentials, created_by",
    ...[environment, instance, "telegram", door, `bot-${owner}`, "@bot", Buffer.alloc(64), "x"],
  );
  const providerKey = await insert(
    "provider_keys",
    "instance_id, provider, credentials, key_hint, created_by",
    ...[instance, "openai", Buffer.alloc(64), "hint", "x"],
  );
  const egressSecret = await insert(
    "egress_secrets",
    "instance_id, name, host, header, credentials, created_by",
    ...[instance, "crm", "api.example.com", "authorization", Buffer.alloc(64), "x"],
  );
  const incident = await insert(
    "incidents",
    "client_id, instance_id, kind, cause, remedy, environment",
    ...[client, instance, "not_alive", "x", "x", environment],
  );
  await insert("notification_settings", "client_user_id", user);
  const notification = await insert(
    "notifications",
    "environment, client_id, kind, subject",
    environment,
    client,
    "test",
    "x",
  );
  await insert(
    "notification_deliveries",
    "notification_id, client_user_id, channel, state",
    ...[notification, user, "mail", "waiting"],
  );
  await insert(
    "notification_unsubscribes",
    "token_hash, client_user_id, kinds",
    ...[Buffer.alloc(32, owner), user, ["invoice"]],
  );
  await one(
    `insert into tenantry.account_limits (environment, limits, needs, containers) values ($1, '{}', '{}', '{}')
     on conflict (environment) do update set limits = excluded.limits returning environment`,
    [environment],
  );
  await insert("account_capacity", "environment, kind, used, most", environment, owner, 1, 1);
  const image = await insert(
    "images",
    "environment, reference, gateway, gateway_version",
    ...[environment, `registry.test/${owner}@sha256:${"0".repeat(64)}`, "openclaw", "1.0.0"],
  );
  await database.pool.query("update tenantry.instances set image_id = $1 where id = $2", [image, instance]);
  const bundle = await insert(
    "worker_bundles",
    "environment, content_hash, release, content",
    ...[environment, OWNERS.indexOf(owner).toString().repeat(64), "1.0.0", Buffer.from("x")],
  );
  const rollout = await insert(
    "rollouts",
    "environment, image_id, waves, soak_minutes, notice_hours, status, requested_by, ended_at",
    ...[environment, image, [100], 0, 0, "succeeded", "x", "2026-10-01"],
  );
  await insert("rollout_tenants", "rollout_id, instance_id, wave", rollout, instance, 0);
  await insert("findings", "environment, kind, identity", environment, "stack", owner);
  await insert("restores", "environment, dumped_at", environment, "2026-10-01");
  const token = await insert(
    "service_tokens",
    "environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id",
    ...[environment, client, user, "phone", "BASE_USER", "x", "2126-10-01", `token-${owner}`, `${owner}.access`],
  );
  const ended = `ended-${owner}.access`;
  await insert("ended_service_tokens", "environment, access_client_id, access_token_id", environment, ended, owner);
  await one(
    `insert into tenantry.platform_versions (environment, version) values ($1, '1.0.0')
     on conflict (environment) do update set version = excluded.version returning environment`,
    [environment],
  );
  const domain = await insert("partner_domains", "partner_id, hostname", partner, `${owner}.test`);
  const audited = await one("select id from tenantry.audit_log where entity = 'clients' and entity_id = $1", [client]);
  return {
    partners: ["id", partner],
    dashboard_users: ["id", root],
    clients: ["id", client],
    instances: ["id", instance],
    ai_gateways: ["id", gateway],
    users: ["id", person],
    erasures: ["id", erasure],
    service_tokens: ["id", token],
    ended_service_tokens: ["access_client_id", ended],
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
    doors: ["id", door],
    channels: ["id", channel],
    provider_keys: ["id", providerKey],
    egress_secrets: ["id", egressSecret],
    incidents: ["id", incident],
    notification_settings: ["client_user_id", user],
    notifications: ["id", notification],
    notification_deliveries: ["notification_id", notification],
    notification_unsubscribes: ["client_user_id", user],
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
