/** Queries on invoices. */
import { type Kysely, sql } from "kysely";
import type { Environment } from "../domain/environment.ts";
import { rowsIfKnown } from "./not-migrated.ts";
import type { DB } from "./types.ts";

/** Slugs of an environment's clients that have invoices, and so cannot be removed. None before the migration that tells them. */
export async function clientsWithInvoices(db: Kysely<DB>, environment: Environment): Promise<ReadonlySet<string>> {
  const found = sql<{ slug: string }>`select slug from tenantry.clients_with_invoices(${environment}) slug`;
  return new Set((await rowsIfKnown(db, found)).map(({ slug }) => slug));
}
