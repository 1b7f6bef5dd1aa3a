/** A creation that is asked for again under the same key gets the first answer (`Idempotency-Key`). */
import type { Kysely } from "kysely";
import { claimIdempotencyKey, findKeyedRequest, storeKeyedAnswer } from "#database/idempotency-keys.ts";
import type { DB } from "#database/types.ts";
import type { Caller } from "../identity/caller.ts";
import { Failure } from "./failure.tsx";

const MAX_KEY = 255;

export interface FirstAnswer {
  status: number;
  body: unknown;
}

/**
 * Claims a key for a request. Of two at once the second waits for the first's transaction.
 *
 * @returns what the first was answered; undefined for the first itself
 * @throws Failure `conflict` when the key was used for another request, `invalid_request` for a key that cannot be one
 */
export async function claimKey(
  db: Kysely<DB>,
  caller: Caller,
  key: string,
  request: Uint8Array<ArrayBuffer>,
): Promise<FirstAnswer | undefined> {
  if (key.length < 1 || key.length > MAX_KEY) {
    throw new Failure("invalid_request", `An Idempotency-Key has 1 to ${MAX_KEY} characters.`);
  }
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", request));
  const named = { caller: caller.id, key };
  if (await claimIdempotencyKey(db, named, hash)) return undefined;
  const first = await findKeyedRequest(db, named);
  if (first === undefined || first.status === null || !first.hash.equals(hash)) {
    throw new Failure("conflict", "This Idempotency-Key was used for another request; choose a new one.");
  }
  return { status: first.status, body: first.body };
}

/** Keeps the answer under the key, in the transaction that did the work. */
export async function keepAnswer(db: Kysely<DB>, caller: Caller, key: string, answer: FirstAnswer): Promise<void> {
  await storeKeyedAnswer(db, { caller: caller.id, key }, answer);
}
