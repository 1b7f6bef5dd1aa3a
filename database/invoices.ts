/** Queries on invoices. */
import { type Kysely, sql } from "kysely";
import type { Environment } from "../domain/slug.ts";
import type { DB } from "./types.ts";

/** PostgreSQL: undefined_function. */
const NOT_MIGRATED = "42883";

/** Slugs of an environment's clients that have invoices, and so cannot be removed. None before the migration that tells them. */
export async function clientsWithInvoices(db: Kysely<DB>, environment: Environment): Promise<ReadonlySet<string>> {
  try {
    const found = await sql<{
      slug: string;
    }>`select slug from tenantry.clients_with_invoices(${environment}) slug`.execute(db);
    return new Set(found.rows.map(({ slug }) => slug));
  } catch (error) {
    if ((error as { code?: string }).code === NOT_MIGRATED) return new Set();
    throw error;
  }
}
