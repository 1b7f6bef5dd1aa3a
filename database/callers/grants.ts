/**
 * Rights of each kind of caller: the least that it needs, restricted by row-level security.
 *
 * Rights on the schema `tenantry` belong to one role per kind, shared by all environments, whose roles are its members. They are granted
 * per object with the schema (`database/schema/apply/rights.ts`), so that a new table only adds a right. Rights on the schemas `api` and
 * `dashboard` are resources of the stack.
 */
import type { Environment } from "#domain/environment.ts";
import { type CallerKind, databaseRoles, personKinds } from "./roles.ts";

/** Tables; functions of the dispatch Worker; functions that the dashboard calls before it has a caller. */
export const SCHEMAS = ["tenantry", "api", "dashboard"] as const;
type Schema = (typeof SCHEMAS)[number];

type Privilege = "USAGE" | "EXECUTE" | "SELECT" | "INSERT" | "UPDATE" | "DELETE";

const READ = ["SELECT"] as const;
const APPEND = ["SELECT", "INSERT"] as const;
const CHANGE = ["SELECT", "UPDATE"] as const;
const KEEP = ["SELECT", "INSERT", "UPDATE"] as const;
const CLEAN = ["SELECT", "DELETE"] as const;
const ISSUE = ["SELECT", "INSERT", "DELETE"] as const;
const WRITE = ["SELECT", "INSERT", "UPDATE", "DELETE"] as const;

/** Rights on each table. A table that is not listed is not accessible. */
const TABLES: Readonly<Record<string, Partial<Record<CallerKind, readonly Privilege[]>>>> = {
  account_capacity: { platform_root: READ, service: KEEP },
  account_limits: { provisioner: WRITE, platform_root: READ, service: CHANGE },
  ai_gateways: { provisioner: WRITE, platform_root: WRITE, service: READ },
  analytics_events: { platform_root: READ, partner_root: READ, client_admin: READ, service: WRITE },
  audit_log: { platform_root: READ, partner_root: READ, client_admin: READ, service: READ },
  // The provisioner finds out which slugs earlier clients had.
  billing_accounts: { provisioner: READ, platform_root: READ, partner_root: READ, client_admin: READ, service: READ },
  // The service sends them to tenants, and encrypts them with another key.
  channels: { platform_root: WRITE, partner_root: WRITE, client_admin: WRITE, service: CHANGE },
  client_plans: { service: READ },
  client_subdivisions: { platform_root: WRITE, partner_root: WRITE, client_admin: READ },
  client_user_instances: {
    platform_root: WRITE,
    partner_root: WRITE,
    client_admin: WRITE,
    client_user: READ,
    service: WRITE,
  },
  client_user_subdivisions: { platform_root: WRITE, partner_root: WRITE, client_admin: WRITE },
  client_users: { platform_root: WRITE, partner_root: WRITE, client_admin: WRITE, client_user: READ, service: WRITE },
  // The service deletes clients only through `delete_client`.
  clients: {
    provisioner: WRITE,
    platform_root: WRITE,
    partner_root: WRITE,
    client_admin: CHANGE,
    client_user: READ,
    service: CHANGE,
  },
  credit_entries: { platform_root: APPEND, partner_root: READ, client_admin: READ, service: APPEND },
  credit_pools: { platform_root: KEEP, partner_root: READ, client_admin: READ, service: KEEP },
  dashboard_users: { provisioner: WRITE, platform_root: WRITE, partner_root: READ, service: READ },
  // The service encrypts secrets with another key (`npm run fleet -- rotate doors-key`).
  doors: { provisioner: WRITE, platform_root: WRITE, partner_root: WRITE, client_admin: WRITE, service: CHANGE },
  // A secret that is replaced gets another row. The service sends secrets to tenants, and encrypts them with another key.
  egress_secrets: { platform_root: ISSUE, partner_root: ISSUE, client_admin: ISSUE, service: CHANGE },
  // Certificates remain when the client is deleted.
  erasures: { platform_root: APPEND, partner_root: APPEND, client_admin: APPEND, service: CHANGE },
  ended_service_tokens: { service: CLEAN },
  events: { platform_root: APPEND, partner_root: APPEND, client_admin: APPEND, client_user: READ, service: WRITE },
  findings: { service: WRITE },
  idempotency_keys: {
    platform_root: WRITE,
    partner_root: WRITE,
    client_admin: WRITE,
    client_user: WRITE,
    service: WRITE,
  },
  images: {
    provisioner: READ,
    platform_root: KEEP,
    partner_root: READ,
    client_admin: READ,
    client_user: READ,
    service: CHANGE,
  },
  incidents: { platform_root: CHANGE, partner_root: CHANGE, client_admin: READ, client_user: READ, service: WRITE },
  instance_health_snapshots: {
    platform_root: READ,
    partner_root: READ,
    client_admin: READ,
    client_user: READ,
    service: WRITE,
  },
  instances: {
    provisioner: WRITE,
    platform_root: WRITE,
    partner_root: WRITE,
    client_admin: CHANGE,
    client_user: READ,
    service: WRITE,
  },
  invoice_line_items: { platform_root: READ, partner_root: READ, client_admin: READ, service: WRITE },
  invoices: { platform_root: CHANGE, partner_root: READ, client_admin: READ, service: WRITE },
  job_events: { platform_root: READ, partner_root: READ, client_admin: READ, service: WRITE },
  jobs: {
    provisioner: READ,
    platform_root: APPEND,
    partner_root: APPEND,
    client_admin: APPEND,
    client_user: READ,
    service: WRITE,
  },
  mail_attempts: { platform_root: READ, partner_root: READ, client_admin: READ, service: WRITE },
  mails: { platform_root: APPEND, partner_root: APPEND, client_admin: APPEND, service: WRITE },
  // `fleet doctor` compares them with the files.
  migrations: { service: READ },
  notification_deliveries: { platform_root: READ, partner_root: READ, client_admin: READ, service: WRITE },
  // Each ADMIN has its own. The service encrypts webhooks with another key, and disables those that fail.
  notification_settings: { client_admin: KEEP, service: CHANGE },
  notification_unsubscribes: { service: ISSUE },
  notifications: { platform_root: READ, partner_root: READ, client_admin: READ, service: WRITE },
  partner_domains: { platform_root: WRITE, partner_root: READ, service: READ },
  partners: {
    provisioner: WRITE,
    platform_root: WRITE,
    partner_root: CHANGE,
    client_admin: READ,
    client_user: READ,
    service: READ,
  },
  // A key that is replaced gets another row. The service sends keys to tenants, and encrypts them with another key.
  provider_keys: { platform_root: ISSUE, partner_root: ISSUE, client_admin: ISSUE, service: CHANGE },
  platform_versions: { provisioner: WRITE, platform_root: READ, service: READ },
  prices: { platform_root: WRITE, partner_root: READ, service: READ },
  restores: { service: READ },
  rollout_tenants: { provisioner: READ, platform_root: KEEP, service: CHANGE },
  rollouts: { provisioner: READ, platform_root: KEEP, service: CHANGE },
  routines: { service: READ },
  schema_version: { provisioner: READ, platform_root: READ, service: READ },
  service_tokens: { platform_root: ISSUE, partner_root: ISSUE, client_admin: ISSUE, service: CLEAN },
  usage_daily: { platform_root: READ, partner_root: READ, client_admin: READ, service: KEEP },
  users: { platform_root: WRITE, partner_root: WRITE, client_admin: READ, service: READ },
  worker_bundles: { platform_root: CHANGE, service: KEEP },
};

const FUNCTIONS: Partial<Record<CallerKind, readonly string[]>> = {
  platform_root: [
    "pool_entries",
    "cancel_job",
    "bundle_names",
    "offered_images",
    "plan_fees",
    "planned_change",
    "slug_is_taken",
    "earlier_clients",
    "spending_maximum",
    "account_outgrown",
    "record_console_view",
    "record_inbox_order",
    "record_state_change",
    "wanted_egress",
  ],
  partner_root: [
    "pool_entries",
    "cancel_job",
    "bundle_names",
    "offered_images",
    "plan_fees",
    "planned_change",
    "slug_is_taken",
    "earlier_clients",
    "spending_maximum",
    "record_inbox_order",
    "record_state_change",
    "wanted_egress",
  ],
  client_admin: [
    "bundle_names",
    "cancel_job",
    "offered_images",
    "plan_fees",
    "planned_change",
    "record_inbox_order",
    "record_state_change",
    "request_test_notification",
    "earlier_clients",
    "spending_maximum",
    "wanted_egress",
  ],
  client_user: ["bundle_names", "offered_images", "planned_change"],
  service: [
    "prepare_health_partitions",
    "drop_old_health_partitions",
    "delete_client",
    "task_of_job",
    "priority_of_job",
    "account_use",
    "wanted_egress",
    "note_occurrence",
  ],
};

export interface ObjectRight {
  to: CallerKind;
  objectType: "schema" | "table" | "function";
  /** With its schema, unless it is one. Function names are unique. */
  object: string;
  privileges: readonly Privilege[];
}

export const OBJECT_RIGHTS: readonly ObjectRight[] = [
  ...(["provisioner", ...personKinds, "service"] as const).map(
    (to): ObjectRight => ({ to, objectType: "schema", object: "tenantry", privileges: ["USAGE"] }),
  ),
  ...Object.entries(TABLES).flatMap(([table, rights]) =>
    kindsOf(rights).map(
      ([to, privileges]): ObjectRight => ({ to, objectType: "table", object: `tenantry.${table}`, privileges }),
    ),
  ),
  ...kindsOf(FUNCTIONS).flatMap(([to, functions]) =>
    functions.map(
      (name): ObjectRight => ({ to, objectType: "function", object: `tenantry.${name}`, privileges: ["EXECUTE"] }),
    ),
  ),
];

function kindsOf<T>(rights: Partial<Record<CallerKind, T>>): [CallerKind, T][] {
  return Object.entries(rights) as [CallerKind, T][];
}

/** Returns the role with a kind's rights on tables and functions in all environments. */
export const rightsRole = (kind: CallerKind) => `tenantry_${kind}_rights`;

/** A right on a schema, or on all its functions. Its inputs never change, so the stack's resource is never replaced. */
export interface SchemaGrant {
  to: CallerKind;
  schema: Schema;
  objectType: "schema" | "function";
  privileges: readonly Privilege[];
}

/** Callers that may only execute the functions of a schema. */
const SCHEMA_OF = { dispatch: "api", dashboard: "dashboard" } as const;

export const SCHEMA_GRANTS: readonly SchemaGrant[] = kindsOf(SCHEMA_OF).flatMap(([to, schema]): SchemaGrant[] => [
  { to, schema, objectType: "schema", privileges: ["USAGE"] },
  { to, schema, objectType: "function", privileges: ["EXECUTE"] },
]);

/** Returns SQL that creates an environment's roles. @param login password of the roles that log in; default: none log in */
export function roleStatements(environment: Environment, login?: string): string {
  const roles = databaseRoles(environment);
  const logins: readonly CallerKind[] = ["dashboard", "provisioner", "service"];
  const creates = Object.entries(roles).map(([kind, role]) => {
    const options =
      login !== undefined && logins.some((login) => login === kind) ? `login password '${login}'` : "nologin";
    return `create role ${role} ${options}${kind === "dashboard" ? " noinherit" : ""}`;
  });
  const memberships = personKinds.map((kind) => `grant ${roles[kind]} to ${roles.dashboard}`);
  return [...creates, ...memberships].join(";\n");
}

export function schemaGrantStatements(environment: Environment): string {
  const roles = databaseRoles(environment);
  return SCHEMA_GRANTS.map(({ to, schema, objectType, privileges }) => {
    const target = objectType === "schema" ? `schema ${schema}` : `all functions in schema ${schema}`;
    return `grant ${privileges.join(", ")} on ${target} to ${roles[to]}`;
  }).join(";\n");
}
