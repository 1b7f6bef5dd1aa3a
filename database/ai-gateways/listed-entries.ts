/** Queries on pool entries, as the dashboard shows them. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { aiGateway } from "#domain/entities/ai-gateway.ts";
import { rowOf } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import { behind, type Place } from "../cursor.ts";
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

/** A page of the pool, by the gateways' ids. @param options.after the place that the page before ended at */
export async function listEntries(
  db: Kysely<DB>,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<ListedEntry[]> {
  let query = selectEntries(db).orderBy("g.gateway_id").orderBy("g.id").limit(limit);
  if (after !== undefined) query = query.where(behind({ table: "g", order: BY_GATEWAY, type: "text", at: after }));
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

/** A page of the instances that bind an entry, of those that the caller sees, by their clients' slugs. */
export async function listBindings(
  db: Kysely<DB>,
  id: string,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<Binding[]> {
  let query = db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.status", "i.managed_by", "i.owner", "c.id as client_id", "c.slug", "c.name"])
    .where("i.ai_gateway_pool_id", "=", id)
    .orderBy("c.slug")
    .orderBy("c.id")
    .limit(limit);
  if (after !== undefined) query = query.where(behind({ table: "c", order: BY_SLUG, type: "text", at: after }));
  return (await query.execute()).map(({ client_id, slug, name, ...row }) =>
    binding.parse({ ...row, client: { id: client_id, slug, name } }),
  );
}
