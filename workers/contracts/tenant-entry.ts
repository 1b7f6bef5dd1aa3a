/**
 * What the dispatch Worker knows of a tenant: the answer of the database's `resolve_tenant` and the cache entry made
 * from it (spec: "Request flow", "key-value cache").
 */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { shownPartner } from "./branding.ts";
import { role } from "./roles.ts";

/** Lifetime of a cache entry, in seconds. */
export const TENANT_CACHE_TTL_SECONDS = 60;

/** Raised when the entry's shape changes, so that an older entry in the cache is ignored. */
export const TENANT_ENTRY_VERSION = 2;

/** The cache key of a tenant. */
export function tenantCacheKey(slug: string): string {
  return `slug:${slug}`;
}

export const tenantRecord = z.object({
  client_id: z.uuid(),
  slug: z.string(),
  environment: z.enum(environments),
  billing_plan: z.enum(plans),
  client_status: z.enum(clientStates),
  /** Validated users of the client. */
  seats: z.number().int().nonnegative(),
  credits: z.object({ purchased: z.number(), consumed: z.number() }),
  instance_id: z.uuid(),
  instance_status: z.enum(instanceStates),
  /** Script in the dispatch namespace. */
  worker_name: z.string(),
  /** Audience tag of the tenant hostname's Access application; null until it is deployed. */
  access_aud: z.string().nullable(),
  /** Whose look its pages have; null for the platform's, and as long as database or entry tell of none. */
  partner: shownPartner.nullable().default(null).catch(null),
});
export type TenantRecord = z.infer<typeof tenantRecord>;

/** The answer of `POST {REST}/rpc/resolve_tenant` with `{ p_slug, p_email }`; `tenant` is null for an unknown slug. */
export const resolvedTenant = z.object({
  tenant: tenantRecord.nullable(),
  /** The caller's role: ROOT for a platform root, else that of a validated user linked to this instance, else null. */
  role: role.nullable(),
});
export type ResolvedTenant = z.infer<typeof resolvedTenant>;

/** The KV value under {@link tenantCacheKey}; `tenant` is null for a slug known not to exist. */
export const tenantEntry = z.object({
  v: z.literal(TENANT_ENTRY_VERSION),
  tenant: tenantRecord.nullable(),
  /** Milliseconds since the epoch at which the database was read. */
  readAt: z.number(),
});
export type TenantEntry = z.infer<typeof tenantEntry>;
