/** A page of the clients that a caller sees. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { type ListedClient, listClients } from "../../database/clients.ts";
import type { DB } from "../../database/types.ts";
import type { Environment } from "../../domain/environment.ts";

export const DEFAULT_PER_PAGE = 50;
export const MAX_PER_PAGE = 100;

/** `?page=&per_page=`: pages count from 1. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
});
export type PageQuery = z.infer<typeof pageQuery>;

export interface Pagination extends PageQuery {
  /** Clients on all pages. */
  total: number;
  total_pages: number;
}

export interface ClientPage {
  clients: ListedClient[];
  pagination: Pagination;
}

/** Which clients a caller sees. */
export interface Scope {
  environment: Environment;
  /** The partner they belong to; undefined for those of all. */
  partnerId: string | undefined;
}

export async function readClientPage(db: Kysely<DB>, scope: Scope, query: PageQuery): Promise<ClientPage> {
  const { environment, partnerId } = scope;
  const total = await countClients(db, scope);
  const pagination = { ...query, total, total_pages: Math.ceil(total / query.per_page) };
  const skipped = (query.page - 1) * query.per_page;
  if (skipped >= total) return { clients: [], pagination };
  const after = skipped === 0 ? undefined : await slugAt(db, scope, skipped - 1);
  const clients = await listClients(db, environment, {
    ...(partnerId === undefined ? {} : { partnerId }),
    limit: query.per_page,
    ...(after === undefined ? {} : { after }),
  });
  return { clients, pagination };
}

async function countClients(db: Kysely<DB>, { environment, partnerId }: Scope): Promise<number> {
  let query = db
    .selectFrom("tenantry.clients")
    .select((e) => e.fn.countAll().as("total"))
    .where("environment", "=", environment);
  if (partnerId !== undefined) query = query.where("partner_id", "=", partnerId);
  const { total } = await query.executeTakeFirstOrThrow();
  return Number(total);
}

/** The slug at a place in the list: what the page after it begins behind. */
async function slugAt(db: Kysely<DB>, { environment, partnerId }: Scope, offset: number): Promise<string | undefined> {
  let query = db
    .selectFrom("tenantry.clients")
    .select("slug")
    .where("environment", "=", environment)
    .orderBy("slug")
    .offset(offset)
    .limit(1);
  if (partnerId !== undefined) query = query.where("partner_id", "=", partnerId);
  return (await query.executeTakeFirst())?.slug;
}
