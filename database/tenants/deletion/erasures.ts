/** Erasures: deletions of clients that also delete the backups, and end with a certificate. The rows outlive the client. */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { type Environment, environments } from "#domain/environment.ts";
import type { TenantResource } from "#domain/erasures/resources.ts";
import { type Page, selectPage } from "../../cursor.ts";
import type { DB } from "../../types.ts";
import { lockClient } from "../client-changes.ts";

/** Requests the erasure of a client; a repetition changes nothing. @param requestedBy e-mail address of who gets the certificate */
export async function requestErasure(tx: Transaction<DB>, clientId: string, requestedBy: string): Promise<void> {
  await sql`
    insert into tenantry.erasures
      (environment, client_id, partner_id, slug, name, worker_name, own_ai_gateway, requested_by, recipients)
    select c.environment, c.id, c.partner_id, c.slug, c.name, i.worker_name,
      case when i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)) then i.ai_gateway_id end, ${requestedBy}, array[${requestedBy}]
    from tenantry.clients c left join tenantry.instances i on i.client_id = c.id
    where c.id = ${clientId}
    on conflict (client_id) do nothing`.execute(tx);
}

const columns = [
  ...(["id", "environment", "client_id", "partner_id", "slug", "name", "worker_name", "own_ai_gateway"] as const),
  ...(["requested_by", "requested_at", "began_at", "bucket_objects", "bucket_bytes", "rows", "erased_at"] as const),
  ...(["checked_at", "checked_resources"] as const),
] as const;

const row = z.object({
  id: z.uuid(),
  environment: z.enum(environments),
  client_id: z.uuid(),
  partner_id: z.uuid().nullable(),
  slug: z.string(),
  name: z.string(),
  worker_name: z.string().nullable(),
  own_ai_gateway: z.string().nullable(),
  requested_by: z.string(),
  requested_at: z.date(),
  began_at: z.date().nullable(),
  /** What the bucket held; null without one. */
  bucket_objects: z.coerce.number().nullable(),
  bucket_bytes: z.coerce.number().nullable(),
  rows: z.record(z.string(), z.number()),
  erased_at: z.date().nullable(),
  /** When Cloudflare was read after the erasure; null for an erasure of an earlier version. */
  checked_at: z.date().nullable(),
  checked_resources: z.array(z.object({ kind: z.string(), name: z.string() })).nullable(),
  /** `requested_at` as PostgreSQL writes it, for cursors. */
  requested_text: z.string(),
});
export type Erasure = z.infer<typeof row>;

const selectErasures = (db: Kysely<DB>) =>
  db
    .selectFrom("tenantry.erasures as e")
    .select(columns.map((column) => `e.${column}` as const))
    .select(sql<string>`e.requested_at::text`.as("requested_text"));

export async function findErasure(
  db: Kysely<DB>,
  by: { id: string } | { clientId: string },
): Promise<Erasure | undefined> {
  const query = selectErasures(db);
  const found = "id" in by ? query.where("e.id", "=", by.id) : query.where("e.client_id", "=", by.clientId);
  const one = await found.executeTakeFirst();
  return one && row.parse(one);
}

const ORDER = { column: "requested_at", direction: "desc" } as const;

/** Returns a page of the erasures that the caller sees, newest first. */
export async function listErasures(db: Kysely<DB>, environment: Environment, page: Page): Promise<Erasure[]> {
  const query = selectErasures(db).where("e.environment", "=", environment);
  const found = await selectPage(query, { table: "e", order: ORDER, type: "timestamptz" }, page).execute();
  return found.map((one) => row.parse(one));
}

/**
 * Records what the bucket holds before its objects are deleted, after which the client cannot be restored. A repetition changes nothing.
 * @param content null without a bucket
 * @returns whether the erasure may go on; false if the client was restored
 */
export async function beginErasure(
  db: Kysely<DB>,
  clientId: string,
  content: { objects: number; bytes: number } | null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockClient(tx, clientId);
    const { rows } = await sql`
      update tenantry.erasures e
      set began_at = coalesce(e.began_at, now()),
        bucket_objects = case when e.began_at is null then ${content?.objects ?? null} else e.bucket_objects end,
        bucket_bytes = case when e.began_at is null then ${content?.bytes ?? null} else e.bucket_bytes end
      from tenantry.clients c
      where e.client_id = ${clientId} and c.id = e.client_id and c.delete_after <= now()
      returning e.id`.execute(tx);
    return rows.length > 0;
  });
}

/** Records which resources Cloudflare does not have now. */
export async function recordCheck(
  db: Kysely<DB>,
  clientId: string,
  resources: readonly TenantResource[],
): Promise<void> {
  await db
    .updateTable("tenantry.erasures")
    .set({ checked_at: sql`now()`, checked_resources: JSON.stringify(resources) })
    .where("client_id", "=", clientId)
    .where("erased_at", "is", null)
    .execute();
}

/** Returns when a client was created; undefined for a deleted one. */
export async function clientCreatedAt(db: Kysely<DB>, clientId: string): Promise<Date | undefined> {
  const found = await db
    .selectFrom("tenantry.clients")
    .select("created_at")
    .where("id", "=", clientId)
    .executeTakeFirst();
  return found?.created_at;
}
