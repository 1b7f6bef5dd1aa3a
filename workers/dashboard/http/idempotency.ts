/** `Idempotency-Key`: a repeated request gets the first response. */
import type { Kysely } from "kysely";
import { claimIdempotencyKey, findKeyedRequest, storeKeyedAnswer } from "#database/idempotency-keys.ts";
import type { DB } from "#database/types.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import type { Caller } from "../identity/caller.ts";
import { failure } from "./failure.tsx";

const MAX_KEY = 255;

export interface FirstAnswer {
  status: number;
  body: unknown;
}

/**
 * Claims a key for a request. A concurrent request waits for the first one's transaction.
 *
 * @returns the response of the first request; `undefined` for the first one
 * @throws Failure `conflict` for a key of another request, `invalid_request` for an invalid key
 */
export async function claimKey(
  db: Kysely<DB>,
  caller: Caller,
  key: string,
  request: Uint8Array<ArrayBuffer>,
): Promise<FirstAnswer | undefined> {
  if (key.length < 1 || key.length > MAX_KEY) {
    throw failure(requestErrors.idempotency_key_invalid, { most: MAX_KEY });
  }
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", request));
  const named = { caller: caller.id, key };
  if (await claimIdempotencyKey(db, named, hash)) return undefined;
  const first = await findKeyedRequest(db, named);
  if (first === undefined || first.status === null || !first.hash.equals(hash)) {
    throw failure(requestErrors.idempotency_key_reused);
  }
  return { status: first.status, body: first.body };
}

/** Stores the response in the transaction of the change. */
export async function keepAnswer(db: Kysely<DB>, caller: Caller, key: string, answer: FirstAnswer): Promise<void> {
  await storeKeyedAnswer(db, { caller: caller.id, key }, answer);
}
