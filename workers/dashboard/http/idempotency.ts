/** `Idempotency-Key`: a repeated request gets the first response. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { claimIdempotencyKey, findKeyedRequest, storeKeyedAnswer } from "#database/idempotency-keys.ts";
import type { DB } from "#database/types.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { type DoorKeys, open, SealedWithOtherKey, seal } from "#workers/shared/doors/door-secrets.ts";
import type { Caller } from "../identity/caller.ts";
import { failure } from "./failure.tsx";

const MAX_KEY = 255;

export interface FirstAnswer {
  status: number;
  body: unknown;
}

/** A caller's key for a request. */
export interface Claim {
  caller: Caller;
  key: string;
  /** Keys that encrypt the stored response; undefined for one without secrets. */
  sealedWith: DoorKeys | undefined;
}

const sealedBody = z.strictObject({ sealed: z.base64() });

/** A stored response is not accepted in the row of another key. */
const contextOf = ({ caller, key }: Claim) => `idempotency:${caller.id}:${key}`;

/**
 * Claims a key for a request. A concurrent request waits for the first one's transaction.
 *
 * @returns the response of the first request; `undefined` for the first one
 * @throws Failure `conflict` for a key of another request, `invalid_request` for an invalid key
 */
export async function claimKey(
  db: Kysely<DB>,
  claim: Claim,
  request: Uint8Array<ArrayBuffer>,
): Promise<FirstAnswer | undefined> {
  const { key } = claim;
  if (key.length < 1 || key.length > MAX_KEY) {
    throw failure(requestErrors.idempotency_key_invalid, { most: MAX_KEY });
  }
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", request));
  const named = { caller: claim.caller.id, key };
  if (await claimIdempotencyKey(db, named, hash)) return undefined;
  const first = await findKeyedRequest(db, named);
  if (first === undefined || first.status === null || !first.hash.equals(hash)) {
    throw failure(requestErrors.idempotency_key_reused);
  }
  return { status: first.status, body: await openBody(claim, first.body) };
}

async function openBody(claim: Claim, body: unknown): Promise<unknown> {
  if (claim.sealedWith === undefined) return body;
  const { sealed } = sealedBody.parse(body);
  try {
    return await open(claim.sealedWith, contextOf(claim), Buffer.from(sealed, "base64"));
  } catch (error) {
    if (error instanceof SealedWithOtherKey) throw failure(requestErrors.first_response_unreadable);
    throw error;
  }
}

/** Stores the response in the transaction of the change. */
export async function keepAnswer(db: Kysely<DB>, claim: Claim, { status, body }: FirstAnswer): Promise<void> {
  const { sealedWith } = claim;
  const sealed = sealedWith && {
    sealed: Buffer.from(await seal(sealedWith, contextOf(claim), body)).toString("base64"),
  };
  await storeKeyedAnswer(db, { caller: claim.caller.id, key: claim.key }, { status, body: sealed ?? body });
}
