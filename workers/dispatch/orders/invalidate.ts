/** `GET /_invalidate/:slug`: drops what the caches know of a tenant and ends what is open at it (spec: "Dispatch layer"). */
import { isSlug } from "#domain/names/slug.ts";
import type { CutOutcome, Invalidated } from "#workers/contracts/invalidated.ts";
import { TENANT_CACHE_TTL_SECONDS } from "#workers/contracts/tenant-entry.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import { Refusal } from "../refusal.ts";
import type { Tenants } from "../tenants/tenants.ts";

/**
 * Drops the tenant's entry and roles in this isolate and its entry in KV, and then cuts whoever is connected.
 *
 * @throws Refusal
 */
export async function invalidate(slug: string, tenants: Tenants, cutOff: () => Promise<CutOutcome>): Promise<Response> {
  try {
    await tenants.forget(slug);
  } catch {
    throw new Refusal("tenant_unavailable", "The cache did not take the change; try again.", 5);
  }
  const body: Invalidated = {
    invalidated: slug,
    elsewhereWithinSeconds: TENANT_CACHE_TTL_SECONDS,
    cut: await cutOff(),
  };
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

/**
 * Lets only the platform itself pass, and only for what can be a tenant's slug.
 *
 * @param tokens the bearer tokens that are accepted; without any, every call is refused
 * @throws Refusal
 */
export async function requireOrder(
  slug: string,
  headers: Headers,
  tokens: readonly (string | undefined)[],
): Promise<void> {
  if (!(await hasBearerToken(headers, ...tokens))) {
    throw new Refusal("authentication_required", "Send the invalidation token as a bearer token.");
  }
  if (!isSlug(slug)) throw new Refusal("invalid_request", "The path does not end in a tenant's slug.");
}
