import { type Kysely, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

/** Returns ids of clients that existed in a month, by slug. @param start first day, `YYYY-MM-DD` in UTC */
export async function accountsSince(db: Kysely<DB>, environment: Environment, start: string): Promise<string[]> {
  const rows = await db
    .selectFrom("tenantry.billing_accounts")
    .select("id")
    .where("environment", "=", environment)
    .where(
      sql<boolean>`exists (
        select from tenantry.client_plans p
        where p.client_id = tenantry.billing_accounts.id and p.valid_from < ${start}::date + interval '1 month')`,
    )
    .where(sql<boolean>`(closed_at is null or closed_at >= ${start}::timestamp at time zone 'utc')`)
    .orderBy("slug")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the caller sees the account of a current or former client. */
export async function hasAccount(db: Kysely<DB>, environment: Environment, clientId: string): Promise<boolean> {
  const row = await db
    .selectFrom("tenantry.billing_accounts")
    .select("id")
    .where("environment", "=", environment)
    .where("id", "=", clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the account of a current or former client. */
export async function findAccount(
  db: Kysely<DB>,
  clientId: string,
): Promise<{ slug: string; name: string; partner_id: string | null } | undefined> {
  return db
    .selectFrom("tenantry.billing_accounts")
    .select(["slug", "name", "partner_id"])
    .where("id", "=", clientId)
    .executeTakeFirst();
}
