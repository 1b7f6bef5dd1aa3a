/** What each role may do: no more than it needs, and of tables only where row-level security lets it. */
import type { Environment } from "../../domain/environment.ts";
import { type CallerKind, databaseRoles, rootKinds } from "./roles.ts";

/** Schemas of the platform: its tables, what the dispatch Worker may call, and what the dashboard may call before it has a caller. */
export const SCHEMAS = ["tenantry", "api", "dashboard"] as const;
type Schema = (typeof SCHEMAS)[number];

type Privilege = "USAGE" | "EXECUTE" | "SELECT" | "INSERT" | "UPDATE" | "DELETE";

export interface Grant {
  to: CallerKind;
  /** Tells a role's grants on one type of objects apart. */
  name: string;
  schema: Schema;
  objectType: "schema" | "table" | "function";
  privileges: readonly Privilege[];
  /** Default: all of the type in the schema. */
  objects?: readonly string[];
}

const READ = ["SELECT"] as const;
const APPEND = ["SELECT", "INSERT"] as const;
const CHANGE = ["SELECT", "UPDATE"] as const;
const KEEP = ["SELECT", "INSERT", "UPDATE"] as const;
const WRITE = ["SELECT", "INSERT", "UPDATE", "DELETE"] as const;

/** Tables by what each kind may do with them. A table that is not named is closed. */
const TABLES: Partial<
  Record<CallerKind, readonly (readonly [name: string, Grant["privileges"], readonly string[]])[]>
> = {
  provisioner: [
    ["write", WRITE, ["partners", "clients", "instances", "ai_gateways", "dashboard_users", "account_limits"]],
    // What is under way, and how images are called: a tenant is handed over between two operations.
    ["read", READ, ["jobs", "images", "rollouts", "rollout_tenants"]],
  ],
  platform_root: [
    [
      "write",
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
    ["append", APPEND, ["jobs", "mails", "events", "credit_entries"]],
    ["keep", KEEP, ["credit_pools", "images", "rollouts", "rollout_tenants"]],
    ["change", CHANGE, ["invoices", "worker_bundles"]],
    ["acknowledge", CHANGE, ["incidents"]],
    [
      "read",
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
      ],
    ],
  ],
  partner_root: [
    [
      "write",
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
    ["append", APPEND, ["jobs", "mails", "events"]],
    ["change", CHANGE, ["partners"]],
    ["acknowledge", CHANGE, ["incidents"]],
    [
      "read",
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
      "write",
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
    ["record", WRITE, ["incidents"]],
    // It ends by `delete_client` alone.
    ["change", CHANGE, ["clients", "images", "rollouts", "rollout_tenants", "account_limits"]],
    ["append", APPEND, ["credit_entries"]],
    ["keep", KEEP, ["credit_pools", "usage_daily", "account_capacity", "worker_bundles"]],
    [
      "read",
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
      ],
    ],
  ],
};

/** Functions of schema `tenantry` that nobody else may execute. */
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

const SCHEMA_OF: Readonly<Record<CallerKind, Schema>> = {
  dispatch: "api",
  dashboard: "dashboard",
  provisioner: "tenantry",
  platform_root: "tenantry",
  partner_root: "tenantry",
  service: "tenantry",
};

/** Every grant, in the order in which they are made. */
export const GRANTS: readonly Grant[] = (Object.keys(SCHEMA_OF) as CallerKind[]).flatMap((to): Grant[] => {
  const schema = SCHEMA_OF[to];
  const named = FUNCTIONS[to];
  const functions: Grant[] =
    schema === "tenantry" && named === undefined
      ? []
      : [
          {
            to,
            name: "function",
            schema,
            objectType: "function",
            privileges: ["EXECUTE"],
            ...(named && { objects: named }),
          },
        ];
  const tables = (TABLES[to] ?? []).map(
    ([name, privileges, objects]): Grant => ({ to, name, schema, objectType: "table", privileges, objects }),
  );
  return [{ to, name: "schema", schema, objectType: "schema", privileges: ["USAGE"] }, ...functions, ...tables];
});

/** The same as statements, for a database that no stack has deployed to. @param login password of the roles that log in; default: none do */
export function roleStatements(environment: Environment, login?: string): string {
  const roles = databaseRoles(environment);
  const logins: readonly CallerKind[] = ["dashboard", "provisioner", "service"];
  const made = Object.entries(roles).map(([kind, role]) => {
    const options = login !== undefined && logins.some((one) => one === kind) ? `login password '${login}'` : "nologin";
    return `create role ${role} ${options}${kind === "dashboard" ? " noinherit" : ""}`;
  });
  const taken = rootKinds.map((kind) => `grant ${roles[kind]} to ${roles.dashboard}`);
  const granted = GRANTS.map(({ to, schema, objectType, privileges, objects }) => {
    const named = (objects ?? []).map((object) => `${schema}.${object}`).join(", ");
    const what = {
      schema: `schema ${schema}`,
      function: objects === undefined ? `all functions in schema ${schema}` : `function ${named}`,
      table: named,
    }[objectType];
    return `grant ${privileges.join(", ")} on ${what} to ${roles[to]}`;
  });
  return [...made, ...taken, ...granted].join(";\n");
}
