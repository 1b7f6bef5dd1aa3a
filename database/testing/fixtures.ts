/** Rows for tests. Each function writes one row and returns its id. */
import type { Insertable, Kysely } from "kysely";
import type { Environment } from "#domain/environment.ts";
import {
  type AccountUse,
  accountNeeds,
  DEFAULT_ACCOUNT_LIMITS,
  DEFAULT_TENANT_SHAPE,
} from "#domain/plans/account-limits.ts";
import { containerNeeds } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import type { DB } from "../types.ts";

let count = 0;

/** Inserts a client, by default in production on plan `pro`. */
export async function insertClient(
  db: Kysely<DB>,
  values: Partial<Insertable<DB["tenantry.clients"]>> = {},
): Promise<string> {
  const slug = values.slug ?? `client-${++count}`;
  const row = { slug, name: slug, billing_plan: "pro", status: "production", ...values };
  return (await db.insertInto("tenantry.clients").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** Inserts an instance in its client's environment, by default running. */
export async function insertInstance(
  db: Kysely<DB>,
  clientId: string,
  values: Partial<Insertable<DB["tenantry.instances"]>> = {},
): Promise<string> {
  const { environment } = await db
    .selectFrom("tenantry.clients")
    .select("environment")
    .where("id", "=", clientId)
    .executeTakeFirstOrThrow();
  const row = {
    environment,
    status: "running",
    worker_name: `tenant-${clientId}`,
    ...values,
    client_id: clientId,
  };
  return (await db.insertInto("tenantry.instances").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** Inserts an enabled pool entry for all environments. */
export async function insertPoolEntry(
  db: Kysely<DB>,
  values: Pick<Insertable<DB["tenantry.ai_gateways"]>, "gateway_id" | "max_instances"> &
    Partial<Insertable<DB["tenantry.ai_gateways"]>>,
): Promise<string> {
  return (await db.insertInto("tenantry.ai_gateways").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

/** Sets the account's limits of a platform with default settings. */
export async function setAccountLimits(
  db: Kysely<DB>,
  limits: Partial<AccountUse> = {},
  { environment = "production" as Environment, shape = DEFAULT_TENANT_SHAPE } = {},
): Promise<void> {
  const row = {
    limits: JSON.stringify({ ...DEFAULT_ACCOUNT_LIMITS, ...limits }),
    needs: JSON.stringify(accountNeeds(shape)),
    containers: JSON.stringify(containerNeeds(PLAN_CONTAINERS)),
  };
  await db
    .insertInto("tenantry.account_limits")
    .values({ environment, ...row })
    .onConflict((conflict) => conflict.column("environment").doUpdateSet(row))
    .execute();
}

/** Inserts a client's user, by default invited, with the given instances. */
export async function insertClientUser(
  db: Kysely<DB>,
  values: Pick<Insertable<DB["tenantry.client_users"]>, "client_id" | "email"> &
    Partial<Insertable<DB["tenantry.client_users"]>>,
  instanceIds: string[] = [],
): Promise<string> {
  const row = { role: "ADMIN", validated_at: values.status === "validated" ? new Date() : null, ...values };
  const { id } = await db.insertInto("tenantry.client_users").values(row).returning("id").executeTakeFirstOrThrow();
  for (const instanceId of instanceIds) {
    await db
      .insertInto("tenantry.client_user_instances")
      .values({ client_user_id: id, instance_id: instanceId })
      .execute();
  }
  return id;
}
