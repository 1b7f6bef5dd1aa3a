/** Helpers of tests for usage, credit and invoices. */
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { DayUsage } from "#domain/billing/usage-metric.ts";
import { storeUsage } from "../billing/usage.ts";
import { databaseRoles } from "../callers/roles.ts";
import type { DB } from "../types.ts";
import { insertClient } from "./fixtures.ts";
import type { TestDatabase } from "./test-database.ts";

/** Inserts a client whose plan `pro` counts from a day on, by default without a flat fee. */
export async function insertBilledClient(
  db: Kysely<DB>,
  values: Parameters<typeof insertClient>[1] & { from?: string; billed?: boolean } = {},
): Promise<string> {
  const { from = "2026-01-01", billed = false, ...client } = values;
  const id = await insertClient(db, client);
  await db.updateTable("tenantry.client_plans").set({ valid_from: from, billed }).where("client_id", "=", id).execute();
  return id;
}

/** Stores a client's usage of one day. */
export function storeDay(
  db: Kysely<DB>,
  clientId: string,
  usage: DayUsage,
  askedAt = new Date(`${usage.day}T23:59:59Z`),
): Promise<string[]> {
  const rollup = { day: usage.day, usage: [{ clientId, ...usage }], unknown: [] };
  return db.transaction().execute((tx) => storeUsage(tx, rollup, askedAt));
}

/** Returns the sums of a pool's row and of its entries, which must be equal. */
export async function sumsOf(db: Kysely<DB>, clientId: string): Promise<{ pool: bigint; entries: bigint }> {
  const { rows } = await sql<{ pool: string; entries: string }>`
    select (lifetime_purchased - lifetime_consumed)::text as pool,
      (select coalesce(sum(amount_micros), 0)::text from tenantry.credit_entries e where e.client_id = p.client_id) as entries
    from tenantry.credit_pools p where client_id = ${clientId}`.execute(db);
  const { pool = "0", entries = "0" } = rows[0] ?? {};
  return { pool: BigInt(pool), entries: BigInt(entries) };
}

export function asService(database: TestDatabase): Kysely<DB> {
  const pool = new pg.Pool({ connectionString: database.urlOf("service"), max: 4 });
  pool.on("error", () => {});
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs a dashboard user's request: a transaction with a root's role and identity. */
export function asRoot<T>(
  db: Kysely<DB>,
  kind: "platform_root" | "partner_root",
  userId: string,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await setRoot(tx, kind, userId);
    return work(tx);
  });
}

/** Sets a root's role and identity for the rest of a transaction. */
export async function setRoot(
  tx: Transaction<DB>,
  kind: "platform_root" | "partner_root",
  userId: string,
): Promise<void> {
  await sql`select set_config('tenantry.caller', ${userId}, true)`.execute(tx);
  await sql`set local role ${sql.id(databaseRoles("production")[kind])}`.execute(tx);
}
