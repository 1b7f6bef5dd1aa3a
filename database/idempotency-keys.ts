import type { Kysely } from "kysely";
import type { DB } from "./types.ts";

interface Key {
  caller: string;
  key: string;
}

export interface KeyedRequest {
  hash: Buffer;
  /** Null until the response is stored. */
  status: number | null;
  body: unknown;
}

/** Claims a key. Concurrent requests wait for the first one's transaction. @returns whether the key was free */
export async function claimIdempotencyKey(
  db: Kysely<DB>,
  { caller, key }: Key,
  request_hash: Buffer,
): Promise<boolean> {
  const claimed = await db
    .insertInto("tenantry.idempotency_keys")
    .values({ caller, key, request_hash })
    .onConflict((conflict) => conflict.columns(["caller", "key"]).doNothing())
    .returning("key")
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function findKeyedRequest(db: Kysely<DB>, { caller, key }: Key): Promise<KeyedRequest | undefined> {
  return db
    .selectFrom("tenantry.idempotency_keys")
    .select(["request_hash as hash", "status", "body"])
    .where("caller", "=", caller)
    .where("key", "=", key)
    .executeTakeFirst();
}

export async function storeKeyedAnswer(
  db: Kysely<DB>,
  { caller, key }: Key,
  { status, body }: { status: number; body: unknown },
): Promise<void> {
  await db
    .updateTable("tenantry.idempotency_keys")
    .set({ status, body: JSON.stringify(body ?? null) })
    .where("caller", "=", caller)
    .where("key", "=", key)
    .execute();
}
