/** `GET /_invalidate/:slug`: clears the caches of a tenant and closes its connections (spec: "Dispatch layer"). */
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { isSlug } from "#domain/names/slug.ts";
import type { CutOutcome, Invalidated } from "#workers/contracts/invalidated.ts";
import { TENANT_CACHE_TTL_SECONDS } from "#workers/contracts/tenant-entry.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import { refusal } from "../refusal.ts";
import type { Tenants } from "../tenants/tenants.ts";

/** Clears this isolate's cache and KV; other isolates' caches expire. @throws Refusal */
export async function invalidate(slug: string, tenants: Tenants, cutOff: () => Promise<CutOutcome>): Promise<Response> {
  try {
    await tenants.forget(slug);
  } catch {
    throw refusal(trafficErrors.cache_not_cleared, {}, { retryAfter: 5 });
  }
  const body: Invalidated = {
    invalidated: slug,
    elsewhereWithinSeconds: TENANT_CACHE_TTL_SECONDS,
    cut: await cutOff(),
  };
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

/** @throws Refusal unless the request has one of the bearer tokens and the slug is valid */
export async function requireOrder(
  slug: string,
  headers: Headers,
  tokens: readonly (string | undefined)[],
): Promise<void> {
  if (!(await hasBearerToken(headers, ...tokens))) {
    throw refusal(trafficErrors.invalidation_token_missing);
  }
  if (!isSlug(slug)) throw refusal(trafficErrors.tenant_slug_invalid);
}
