/** Hosts that are a partner's own. */
import { type Kysely, sql } from "kysely";
import { behind, type Place } from "../cursor.ts";
import type { DB } from "../types.ts";

const NEWEST = { column: "created_at", direction: "desc" } as const;

export interface ListedDomain {
  id: string;
  hostname: string;
  verified_at: Date | null;
  created_at: Date;
  /** The same as PostgreSQL writes it, for cursors. */
  created_text: string;
}

/** A page of a partner's hosts, the newest first. */
export async function listDomains(
  db: Kysely<DB>,
  partnerId: string,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<ListedDomain[]> {
  let query = db
    .selectFrom("tenantry.partner_domains as d")
    .select(["d.id", "d.hostname", "d.verified_at", "d.created_at"])
    .select(sql<string>`d.created_at::text`.as("created_text"))
    .where("d.partner_id", "=", partnerId)
    .orderBy("d.created_at", "desc")
    .orderBy("d.id", "desc")
    .limit(limit);
  if (after !== undefined) query = query.where(behind({ table: "d", order: NEWEST, type: "timestamptz", at: after }));
  return query.execute();
}

/** Adds a host to a partner. */
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

/** Deletes a host of a partner. @returns whether the partner had it */
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
