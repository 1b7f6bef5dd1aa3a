import { type Insertable, type Kysely, sql } from "kysely";
import type * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { serviceToken } from "#domain/entities/service-token.ts";
import type { DB } from "../types.ts";

const row = rowOf(serviceToken);
export type ListedServiceToken = z.infer<typeof row>;

function selectServiceTokens(db: Kysely<DB>, clientId: string) {
  return db
    .selectFrom("tenantry.service_tokens as k")
    .innerJoin("tenantry.client_users as u", "u.id", "k.client_user_id")
    .select(["k.id", "k.client_id", "k.client_user_id", "u.email", "k.name", "k.role", "k.access_client_id"])
    .select(["k.created_by", "k.created_at", "k.expires_at", "k.last_used_at"])
    .where("k.client_id", "=", clientId);
}

/** Returns a client's tokens, newest first, also expired ones. */
export async function listServiceTokens(db: Kysely<DB>, clientId: string): Promise<ListedServiceToken[]> {
  const rows = await selectServiceTokens(db, clientId).orderBy("k.created_at", "desc").orderBy("k.id").execute();
  return rows.map((one) => row.parse(one));
}

export async function findServiceToken(
  db: Kysely<DB>,
  clientId: string,
  id: string,
): Promise<ListedServiceToken | undefined> {
  const found = await selectServiceTokens(db, clientId).where("k.id", "=", id).executeTakeFirst();
  return found && row.parse(found);
}

export type NewServiceToken = Omit<
  Insertable<DB["tenantry.service_tokens"]>,
  "created_at" | "expires_at" | "last_used_at"
>;

/** @param days until it expires */
export async function insertServiceToken(db: Kysely<DB>, token: NewServiceToken, days: number): Promise<void> {
  const expires_at = sql<Date>`now() + ${days}::integer * interval '1 day'`;
  await db
    .insertInto("tenantry.service_tokens")
    .values({ ...token, expires_at })
    .execute();
}

export async function deleteServiceToken(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.service_tokens").where("id", "=", id).execute();
}

/** What the database has about the tokens of an environment. */
export interface KnownServiceTokens {
  /** Ids at Access of tokens that are valid. */
  valid: ReadonlySet<string>;
  /** Of those that have expired, were revoked, or lost their user. */
  ended: ReadonlySet<string>;
  /** Of valid ones older than some minutes, which Access must have. */
  settled: ReadonlySet<string>;
}

export async function knownServiceTokens(db: Kysely<DB>, settledAfterMinutes: number): Promise<KnownServiceTokens> {
  const tokens = await db
    .selectFrom("tenantry.service_tokens")
    .select(["access_token_id as id", sql<boolean>`expires_at > now()`.as("is_valid")])
    .select(sql<boolean>`created_at < now() - ${settledAfterMinutes}::integer * interval '1 minute'`.as("is_settled"))
    .execute();
  const ended = await db.selectFrom("tenantry.ended_service_tokens").select("access_token_id as id").execute();
  const valid = tokens.filter(({ is_valid }) => is_valid);
  return {
    valid: new Set(valid.map(({ id }) => id)),
    ended: new Set([...ended, ...tokens.filter(({ is_valid }) => !is_valid)].map(({ id }) => id)),
    settled: new Set(valid.filter(({ is_settled }) => is_settled).map(({ id }) => id)),
  };
}

/**
 * Queues a mail to the user of each token that expires within a number of days, once. A token that was created for fewer days is not announced.
 * The mail is kept for longer than that.
 */
export async function queueExpiryMails(db: Kysely<DB>, days: number): Promise<void> {
  const period = sql`${days}::integer * interval '1 day'`;
  await sql`
    insert into tenantry.mails (environment, kind, recipient, client_id, client_user_id, data)
    select k.environment, 'service_token', u.email, k.client_id, u.id, jsonb_build_object(
      'what', 'expires', 'id', k.id, 'name', k.name, 'role', k.role, 'expires_at', k.expires_at, 'by', null)
    from tenantry.service_tokens k join tenantry.client_users u on u.id = k.client_user_id
    where k.expires_at > now() and k.expires_at < now() + ${period} and k.created_at < k.expires_at - ${period}
      and not exists (
        select from tenantry.mails m
        where m.client_user_id = u.id and m.kind = 'service_token' and m.data ->> 'what' = 'expires' and m.data ->> 'id' = k.id::text)
  `.execute(db);
}

/** Deletes tokens that Access does not have. */
export async function deleteLostServiceTokens(db: Kysely<DB>, accessTokenIds: readonly string[]): Promise<void> {
  if (accessTokenIds.length === 0) return;
  await db.deleteFrom("tenantry.service_tokens").where("access_token_id", "in", accessTokenIds).execute();
}

/** Deletes tokens, and records of ended ones, that ended before a number of days. */
export async function deleteEndedServiceTokens(db: Kysely<DB>, days: number): Promise<void> {
  const before = sql<Date>`now() - ${days}::integer * interval '1 day'`;
  await db.deleteFrom("tenantry.service_tokens").where("expires_at", "<", before).execute();
  await db.deleteFrom("tenantry.ended_service_tokens").where("ended_at", "<", before).execute();
}
