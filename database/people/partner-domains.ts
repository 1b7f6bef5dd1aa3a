import { type Kysely, sql } from "kysely";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const NEWEST = { column: "created_at", direction: "desc" } as const;

export interface ListedDomain {
  id: string;
  hostname: string;
  verified_at: Date | null;
  created_at: Date;
  /** `created_at` in PostgreSQL's precision, for cursors. */
  created_text: string;
}

export async function listDomains(db: Kysely<DB>, partnerId: string, page: Page): Promise<ListedDomain[]> {
  const query = db
    .selectFrom("tenantry.partner_domains as d")
    .select(["d.id", "d.hostname", "d.verified_at", "d.created_at"])
    .select(sql<string>`d.created_at::text`.as("created_text"))
    .where("d.partner_id", "=", partnerId);
  return selectPage(query, { table: "d", order: NEWEST, type: "timestamptz" }, page).execute();
}

export async function insertDomain(
  db: Kysely<DB>,
  { partnerId: partner_id, hostname }: { partnerId: string; hostname: string },
): Promise<Omit<ListedDomain, "created_text">> {
  return db
    .insertInto("tenantry.partner_domains")
    .values({ partner_id, hostname })
    .returning(["id", "hostname", "verified_at", "created_at"])
    .executeTakeFirstOrThrow();
}

export async function deleteDomain(
  db: Kysely<DB>,
  { partnerId, domainId }: { partnerId: string; domainId: string },
): Promise<boolean> {
  const removed = await db
    .deleteFrom("tenantry.partner_domains")
    .where("id", "=", domainId)
    .where("partner_id", "=", partnerId)
    .returning("id")
    .executeTakeFirst();
  return removed !== undefined;
}
