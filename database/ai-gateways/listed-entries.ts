import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { aiGateway } from "#domain/entities/ai-gateway.ts";
import { rowOf } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const entry = rowOf(aiGateway.omit({ declared_in: true }).extend({ owner: z.string().nullable() }));
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

const binding = rowOf(
  instance.pick({ id: true, status: true, client: true, managed_by: true }).extend({ owner: z.string().nullable() }),
);
export type Binding = z.infer<typeof binding>;

/** Returns a page of the instances that bind an entry and are visible to the caller, by slug. */
export async function listBindings(db: Kysely<DB>, id: string, page: Page): Promise<Binding[]> {
  const query = db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.status", "i.managed_by", "i.owner", "c.id as client_id", "c.slug", "c.name"])
    .where("i.ai_gateway_pool_id", "=", id);
  const found = await selectPage(query, { table: "c", order: BY_SLUG, type: "text" }, page).execute();
  return found.map(({ client_id, slug, name, ...row }) =>
    binding.parse({ ...row, client: { id: client_id, slug, name } }),
  );
}
