import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { instanceStates } from "#domain/tenants/instance-state.ts";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const entry = z.object({
  id: z.uuid(),
  gateway_id: z.string(),
  environment: z.enum(environments).nullable(),
  declared_by: z.enum(environments),
  enabled: z.boolean(),
  max_instances: z.number(),
  /** Instances of all environments that bind it. */
  bound: z.coerce.number(),
  managed_by: z.enum(["git", "dashboard"]),
  owner: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  version: z.number(),
});
export type ListedEntry = z.infer<typeof entry>;

const BY_GATEWAY = { column: "gateway_id", direction: "asc" } as const;
const BY_SLUG = { column: "slug", direction: "asc" } as const;

const selectEntries = (db: Kysely<DB>) =>
  db
    .selectFrom("tenantry.ai_gateways as g")
    .selectAll("g")
    .select(sql<string>`tenantry.bound_instances(g.id)`.as("bound"));

/** Returns a page of the pool, by gateway id. */
export async function listEntries(db: Kysely<DB>, page: Page): Promise<ListedEntry[]> {
  const query = selectPage(selectEntries(db), { table: "g", order: BY_GATEWAY, type: "text" }, page);
  return (await query.execute()).map((row) => entry.parse(row));
}

export async function findEntry(db: Kysely<DB>, id: string): Promise<ListedEntry | undefined> {
  const found = await selectEntries(db).where("g.id", "=", id).executeTakeFirst();
  return found && entry.parse(found);
}

const binding = z.object({
  id: z.uuid(),
  status: z.enum(instanceStates),
  managed_by: z.enum(["git", "dashboard"]),
  owner: z.string().nullable(),
  client_id: z.uuid(),
  slug: z.string(),
  name: z.string(),
});
export type Binding = z.infer<typeof binding>;

/** Returns a page of the instances that bind an entry and are visible to the caller, by slug. */
export async function listBindings(db: Kysely<DB>, id: string, page: Page): Promise<Binding[]> {
  const query = db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.status", "i.managed_by", "i.owner", "c.id as client_id", "c.slug", "c.name"])
    .where("i.ai_gateway_pool_id", "=", id);
  const found = await selectPage(query, { table: "c", order: BY_SLUG, type: "text" }, page).execute();
  return found.map((row) => binding.parse(row));
}
