/**
 * `GET /_invalidate/:slug` clears the caches of a tenant and closes its connections (spec: "Dispatch layer"). `GET /_invalidate-door/:hash`
 * clears those of a door.
 */
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { isSlug } from "#domain/names/slug.ts";
import type { CutOutcome, Invalidated, InvalidatedDoor } from "#workers/contracts/invalidated.ts";
import { TENANT_CACHE_TTL_SECONDS } from "#workers/contracts/tenant-entry.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import type { Doors } from "../hooks/doors.ts";
import type { Order } from "../paths.ts";
import { refusal } from "../refusal.ts";
import type { Tenants } from "../tenants/tenants.ts";

/** Clears this isolate's cache and KV; other isolates' caches expire. @throws Refusal */
export async function invalidate(slug: string, tenants: Tenants, cutOff: () => Promise<CutOutcome>): Promise<Response> {
  await cleared(tenants.forget(slug));
  const body: Invalidated = {
    invalidated: slug,
    elsewhereWithinSeconds: TENANT_CACHE_TTL_SECONDS,
    cut: await cutOff(),
  };
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

/** Like {@link invalidate}. @param hash SHA-256 of the door's key, in hex @throws Refusal */
export async function invalidateDoor(hash: string, doors: Doors): Promise<Response> {
  await cleared(doors.forget(hash));
  const body: InvalidatedDoor = { invalidated: hash, elsewhereWithinSeconds: TENANT_CACHE_TTL_SECONDS };
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

async function cleared(forgetting: Promise<void>): Promise<void> {
  try {
    await forgetting;
  } catch {
    throw refusal(trafficErrors.cache_not_cleared, {}, { retryAfter: 5 });
  }
}

/** @throws Refusal unless the request has one of the bearer tokens, and the slug or hash is valid */
export async function requireOrder(
  { outcome, slug }: Order,
  headers: Headers,
  tokens: readonly (string | undefined)[],
): Promise<void> {
  if (!(await hasBearerToken(headers, ...tokens))) {
    throw refusal(trafficErrors.invalidation_token_missing);
  }
  if (outcome === "door_invalidated") {
    if (!/^[0-9a-f]{64}$/.test(slug)) throw refusal(trafficErrors.door_hash_invalid);
  } else if (!isSlug(slug)) throw refusal(trafficErrors.tenant_slug_invalid);
}
