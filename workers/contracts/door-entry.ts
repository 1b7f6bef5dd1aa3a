/** A door in the dispatch Worker: the result of the database's `resolve_door`, and its cache entry. */
import { webhookKinds } from "@tenantry/webhooks/kinds";
import * as z from "zod";
import { doorStates } from "#domain/doors/door.ts";
import { tenantRecord } from "./tenant-entry.ts";

/** Increased with changes of the entry's shape, so that older entries are ignored. */
export const DOOR_ENTRY_VERSION = 1;

/** @param hash SHA-256 of the door's key, in hex */
export const doorCacheKey = (hash: string): string => `door:${hash}`;

/** Encrypted as base64 (`workers/shared/doors/door-secrets.ts`). */
const sealed = z.base64();

export const doorRecord = z.object({
  id: z.uuid(),
  kind: z.enum(webhookKinds),
  name: z.string(),
  state: z.enum(doorStates),
  secrets: sealed,
  /** Also accepted, after a rotation; null when they have expired. */
  former_secrets: sealed.nullable(),
  /** As of `resolve_tenant`. */
  tenant: tenantRecord,
});
export type DoorRecord = z.infer<typeof doorRecord>;

/** Response of `POST {REST}/rpc/resolve_door` with `{ p_key_hash }`, in hex. `door` is null for an unknown key. */
export const resolvedDoor = z.object({ door: doorRecord.nullable() });

/** KV value at {@link doorCacheKey}. `door` is null for a key that does not exist. */
export const doorEntry = z.object({
  v: z.literal(DOOR_ENTRY_VERSION),
  door: doorRecord.nullable(),
  /** Milliseconds since the epoch at which the database was read. */
  readAt: z.number(),
});
export type DoorEntry = z.infer<typeof doorEntry>;
