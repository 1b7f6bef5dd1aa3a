import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { partner } from "#domain/entities/partner.ts";
import type { Environment } from "#domain/environment.ts";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const logoType = z.enum(["image/png", "image/jpeg", "image/webp", "image/svg+xml"]);

const row = rowOf(
  partner.omit({ declared_in: true }).extend({
    /** As a stack or the dashboard wrote it; readers take the parts that they know. */
    style: z.record(z.string(), z.unknown()).catch({}),
    logo_key: z.string().nullable(),
    logo_type: logoType.nullable(),
    owner: z.string().nullable(),
  }),
);
export type ListedPartner = z.infer<typeof row>;

const BY_SLUG = { column: "slug", direction: "asc" } as const;
const clientCount = sql<string>`(select count(*) from tenantry.clients c where c.partner_id = p.id)`.as("clients");

const selectPartners = (db: Kysely<DB>, environment: Environment) =>
  db.selectFrom("tenantry.partners as p").selectAll("p").select(clientCount).where("p.environment", "=", environment);

export async function listPartners(db: Kysely<DB>, environment: Environment, page: Page): Promise<ListedPartner[]> {
  const query = selectPage(selectPartners(db, environment), { table: "p", order: BY_SLUG, type: "text" }, page);
  return (await query.execute()).map((partner) => row.parse(partner));
}

export async function findPartner(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  { lock = false } = {},
): Promise<ListedPartner | undefined> {
  const query = selectPartners(db, environment).where("p.id", "=", id);
  const found = await (lock ? query.forUpdate("p") : query).executeTakeFirst();
  return found && row.parse(found);
}

export async function findPartnerName(
  db: Kysely<DB>,
  id: string,
): Promise<{ id: string; slug: string; name: string } | undefined> {
  return db.selectFrom("tenantry.partners").select(["id", "slug", "name"]).where("id", "=", id).executeTakeFirst();
}

const logo = z.object({ key: z.string(), type: logoType }).nullable();

export async function findPartnerLogo(db: Kysely<DB>, id: string): Promise<z.infer<typeof logo>> {
  const { rows } = await sql<{ logo: unknown }>`select dashboard.partner_logo(${id}) as logo`.execute(db);
  return logo.parse(rows[0]?.logo ?? null);
}

const dependents = z.object({
  clients: z.coerce.number(),
  users: z.coerce.number(),
  dashboard_users: z.coerce.number(),
  domains: z.coerce.number(),
});

export async function countDependents(db: Kysely<DB>, id: string): Promise<z.infer<typeof dependents>> {
  const { rows } = await sql`
    select (select count(*) from tenantry.clients where partner_id = ${id}) as clients,
      (select count(*) from tenantry.users where partner_id = ${id}) as users,
      (select count(*) from tenantry.dashboard_users where partner_id = ${id}) as dashboard_users,
      (select count(*) from tenantry.partner_domains where partner_id = ${id}) as domains`.execute(db);
  return dependents.parse(rows[0]);
}
