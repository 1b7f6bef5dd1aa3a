/** Queries on partners, as the dashboard shows them. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { Environment } from "#domain/environment.ts";
import { behind, type Place } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  /** As a stack or the dashboard has written it; who shows it takes what it knows. */
  style: z.record(z.string(), z.unknown()).catch({}),
  logo_key: z.string().nullable(),
  logo_type: z.enum(["image/png", "image/jpeg", "image/webp", "image/svg+xml"]).nullable(),
  managed_by: z.enum(["git", "dashboard"]),
  owner: z.string().nullable(),
  /** How many it has, of those that the caller sees. */
  clients: z.coerce.number(),
  created_at: z.date(),
  updated_at: z.date(),
  version: z.number(),
});
export type ListedPartner = z.infer<typeof row>;

const BY_SLUG = { column: "slug", direction: "asc" } as const;
const clientCount = sql<string>`(select count(*) from tenantry.clients c where c.partner_id = p.id)`.as("clients");
const NEWEST = { column: "created_at", direction: "desc" } as const;

/** A page of the partners that the caller sees, by slug. @param options.after the place that the page before ended at */
export async function listPartners(
  db: Kysely<DB>,
  environment: Environment,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<ListedPartner[]> {
  let query = db
    .selectFrom("tenantry.partners as p")
    .selectAll("p")
    .select(clientCount)
    .where("p.environment", "=", environment)
    .orderBy("p.slug")
    .orderBy("p.id")
    .limit(limit);
  if (after !== undefined) query = query.where(behind({ table: "p", order: BY_SLUG, type: "text", at: after }));
  return (await query.execute()).map((one) => row.parse(one));
}

/** One partner that the caller sees; with `lock` it stays as it is until the transaction's end. */
export async function findPartner(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  { lock = false } = {},
): Promise<ListedPartner | undefined> {
  const query = db
    .selectFrom("tenantry.partners as p")
    .selectAll("p")
    .select(clientCount)
    .where("p.environment", "=", environment)
    .where("p.id", "=", id);
  const found = await (lock ? query.forUpdate("p") : query).executeTakeFirst();
  return found && row.parse(found);
}

/** How much hangs on a partner, of each kind. */
export async function countDependents(db: Kysely<DB>, id: string): Promise<Record<"clients" | Dependent, number>> {
  const { rows } = await sql<Record<"clients" | Dependent, string>>`
    select (select count(*) from tenantry.clients where partner_id = ${id}) as clients,
      (select count(*) from tenantry.users where partner_id = ${id}) as users,
      (select count(*) from tenantry.dashboard_users where partner_id = ${id}) as dashboard_users,
      (select count(*) from tenantry.partner_domains where partner_id = ${id}) as domains`.execute(db);
  return z
    .object({
      clients: z.coerce.number(),
      users: z.coerce.number(),
      dashboard_users: z.coerce.number(),
      domains: z.coerce.number(),
    })
    .parse(rows[0]);
}
/** What goes with a partner. */
type Dependent = "users" | "dashboard_users" | "domains";

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
