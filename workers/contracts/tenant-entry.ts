/**
 * A tenant in the dispatch Worker: the result of the database's `resolve_tenant`, and its cache entry (spec: "Request flow", "key-value cache").
 */
import { KV_EXPIRATION_TTL } from "@tenantry/cloudflare-limits/values";
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { shownPartner } from "./branding.ts";
import { role } from "./roles.ts";

/** Lifetime of a cache entry in seconds, the shortest that KV accepts. */
export const TENANT_CACHE_TTL_SECONDS = KV_EXPIRATION_TTL;

/** Increased with changes of the entry's shape, so that older entries are ignored. */
export const TENANT_ENTRY_VERSION = 2;

export const tenantCacheKey = (slug: string): string => `slug:${slug}`;

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
  /** Partner whose branding its pages have; null for the platform's, also if database or entry have none. */
  partner: shownPartner.nullable().default(null).catch(null),
});
export type TenantRecord = z.infer<typeof tenantRecord>;

/** A service token of Access that the platform created, at a tenant. */
const knownToken = z.object({
  /** Address of its user; null if the token is not valid at this tenant, or no longer. */
  email: z.string().nullable(),
  /** Seconds since the epoch. */
  expires_at: z.number().nullable(),
});

/**
 * Response of `POST {REST}/rpc/resolve_tenant` with `{ p_slug, p_email }`. `p_email` is the address of a user, or the client id of a service
 * token. `tenant` is null for an unknown slug.
 */
export const resolvedTenant = z.object({
  tenant: tenantRecord.nullable(),
  /**
   * ROOT for a platform root, else the role of a validated user of this instance, else null. For a service token, the lower of its own and its
   * user's role.
   */
  role: role.nullable(),
  /** Null for a user, and for a service token that the platform did not create. Earlier versions of the schema have none. */
  token: knownToken.nullable().default(null),
});
export type ResolvedTenant = z.infer<typeof resolvedTenant>;

/** What a caller may do at a tenant. */
export type Standing = Pick<ResolvedTenant, "role" | "token">;

/** KV value at {@link tenantCacheKey}. `tenant` is null for a slug that does not exist. */
export const tenantEntry = z.object({
  v: z.literal(TENANT_ENTRY_VERSION),
  tenant: tenantRecord.nullable(),
  /** Milliseconds since the epoch at which the database was read. */
  readAt: z.number(),
});
export type TenantEntry = z.infer<typeof tenantEntry>;
