import { type Bytes, bytesOf, concatenated, hexOf, sha256 } from "../checks/check.ts";
import type { WebhookKind } from "../kinds.ts";
import type { WebhookRequest } from "../verdict.ts";
import type { Event } from "./event.ts";

/** Their bodies may be equal for different events, and nothing else identifies these. */
const UNIDENTIFIED: ReadonlySet<WebhookKind> = new Set(["github", "gitlab", "openclaw", "hmac", "bearer"]);

/** Valid in a header of the delivery. */
const SHORT = /^[\x21-\x7e]{1,200}$/;

async function hashed(bytes: Bytes): Promise<string> {
  return `sha256:${hexOf(await sha256(bytes))}`;
}

/** Returns the id of the event, the same for each retry of the vendor. */
export async function eventIdOf(
  kind: WebhookKind,
  { ids = [] }: Event,
  { subpath, body }: WebhookRequest,
): Promise<string> {
  const [only, ...others] = [...ids].sort();
  if (only === undefined)
    return UNIDENTIFIED.has(kind) ? crypto.randomUUID() : hashed(concatenated(`${subpath}\n`, body));
  return others.length === 0 && SHORT.test(only) ? only : hashed(bytesOf(JSON.stringify([only, ...others])));
}
