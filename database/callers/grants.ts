/**
 * Rights of each kind of caller: the least that it needs, restricted by row-level security.
 *
 * Rights on the schema `tenantry` belong to one role per kind, shared by all environments, whose roles are its members. They are granted
 * per object with the schema (`database/schema/apply/rights.ts`), so that a new table only adds a right. Rights on the schemas `api` and
 * `dashboard` are resources of the stack.
 */
import type { Environment } from "#domain/environment.ts";
import { type CallerKind, databaseRoles, rootKinds } from "./roles.ts";

/** Tables; functions of the dispatch Worker; functions that the dashboard calls before it has a caller. */
export const SCHEMAS = ["tenantry", "api", "dashboard"] as const;
type Schema = (typeof SCHEMAS)[number];

type Privilege = "USAGE" | "EXECUTE" | "SELECT" | "INSERT" | "UPDATE" | "DELETE";

const READ = ["SELECT"] as const;
const APPEND = ["SELECT", "INSERT"] as const;
const CHANGE = ["SELECT", "UPDATE"] as const;
const KEEP = ["SELECT", "INSERT", "UPDATE"] as const;
const WRITE = ["SELECT", "INSERT", "UPDATE", "DELETE"] as const;

/** Tables by kind and privileges. Other tables are not accessible. */
const TABLES: Partial<Record<CallerKind, readonly (readonly [readonly Privilege[], readonly string[]])[]>> = {
  provisioner: [
    [
      WRITE,
      ["partners", "clients", "instances", "ai_gateways", "dashboard_users", "account_limits", "platform_versions"],
    ],
    // A hand-over reads open jobs and image names. Billing accounts show which slugs earlier clients had.
    [READ, ["jobs", "images", "rollouts", "rollout_tenants", "billing_accounts", "schema_version"]],
  ],
  platform_root: [
    [
      WRITE,
      [
        "partners",
        "partner_domains",
        "clients",
        "instances",
        "ai_gateways",
        "dashboard_users",
        "users",
        "client_users",
        "client_user_instances",
        "client_subdivisions",
        "client_user_subdivisions",
        "idempotency_keys",
        "prices",
      ],
    ],
    [APPEND, ["jobs", "mails", "events", "credit_entries"]],
    [KEEP, ["credit_pools", "images", "rollouts", "rollout_tenants"]],
    [CHANGE, ["invoices", "worker_bundles"]],
    [CHANGE, ["incidents"]],
    [
      READ,
      [
        "account_capacity",
        "account_limits",
        "job_events",
        "mail_attempts",
        "audit_log",
        "billing_accounts",
        "invoice_line_items",
        "usage_daily",
        "analytics_events",
        "instance_health_snapshots",
        "platform_versions",
        "schema_version",
      ],
    ],
  ],
  partner_root: [
    [
      WRITE,
      [
        "clients",
        "instances",
        "users",
        "client_users",
        "client_user_instances",
        "client_subdivisions",
        "client_user_subdivisions",
        "idempotency_keys",
      ],
    ],
    [APPEND, ["jobs", "mails", "events"]],
    [CHANGE, ["partners"]],
    [CHANGE, ["incidents"]],
    [
      READ,
      [
        "images",
        "partner_domains",
        "dashboard_users",
        "billing_accounts",
        "credit_pools",
        "credit_entries",
        "prices",
        "usage_daily",
        "job_events",
        "mail_attempts",
        "audit_log",
        "invoices",
        "invoice_line_items",
        "analytics_events",
        "instance_health_snapshots",
      ],
    ],
  ],
  service: [
    [
      WRITE,
      [
        "instances",
        "client_users",
        "client_user_instances",
        "jobs",
        "job_events",
        "mails",
        "mail_attempts",
        "events",
        "idempotency_keys",
        "invoices",
        "invoice_line_items",
        "analytics_events",
        "instance_health_snapshots",
        "findings",
      ],
    ],
    [WRITE, ["incidents"]],
    // Clients are deleted only by `delete_client`.
    [CHANGE, ["clients", "images", "rollouts", "rollout_tenants", "account_limits"]],
    [APPEND, ["credit_entries"]],
    [KEEP, ["credit_pools", "usage_daily", "account_capacity", "worker_bundles"]],
    [
      READ,
      [
        "partners",
        "partner_domains",
        "ai_gateways",
        "dashboard_users",
        "users",
        "audit_log",
        "prices",
        "client_plans",
        "billing_accounts",
        "platform_versions",
        "schema_version",
        "restores",
        // `fleet doctor` compares them with the files.
        "migrations",
        "routines",
      ],
    ],
  ],
};

const FUNCTIONS: Partial<Record<CallerKind, readonly string[]>> = {
  platform_root: ["pool_entries", "cancel_job", "bundle_names", "planned_change", "slug_is_taken", "account_outgrown"],
  partner_root: ["pool_entries", "cancel_job", "bundle_names", "planned_change", "slug_is_taken"],
  service: [
    "prepare_health_partitions",
    "drop_old_health_partitions",
    "delete_client",
    "task_of_job",
    "priority_of_job",
    "account_use",
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
  ...kindsOf(TABLES).map(
    ([to]): ObjectRight => ({ to, objectType: "schema", object: "tenantry", privileges: ["USAGE"] }),
  ),
  ...kindsOf(TABLES).flatMap(([to, rights]) =>
    rights.flatMap(([privileges, tables]) =>
      tables.map((table): ObjectRight => ({ to, objectType: "table", object: `tenantry.${table}`, privileges })),
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
  const memberships = rootKinds.map((kind) => `grant ${roles[kind]} to ${roles.dashboard}`);
  return [...creates, ...memberships].join(";\n");
}

export function schemaGrantStatements(environment: Environment): string {
  const roles = databaseRoles(environment);
  return SCHEMA_GRANTS.map(({ to, schema, objectType, privileges }) => {
    const target = objectType === "schema" ? `schema ${schema}` : `all functions in schema ${schema}`;
    return `grant ${privileges.join(", ")} on ${target} to ${roles[to]}`;
  }).join(";\n");
}
