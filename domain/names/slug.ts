/** Slugs, which name tenants (spec: "Reserved hostnames"). */
import { ENVIRONMENT_SUFFIX, type Environment } from "../environment.ts";

/** Longest slug: a DNS label holds 63 characters and `-dev` takes four. */
export const MAX_SLUG_LENGTH = 59;
/** Longest DNS label, in characters. */
export const MAX_LABEL_LENGTH = 63;

/** The dashboard's label in each environment; never a tenant's. */
export const DASHBOARD_LABEL = {
  production: "dash",
  staging: "staging-dash",
  development: "dev-dash",
} as const satisfies Record<Environment, string>;

export const RESERVED_SLUGS: ReadonlySet<string> = new Set(Object.values(DASHBOARD_LABEL));

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Why `slug` cannot name a tenant, as one sentence with its remedy; `undefined` when it can. */
export function slugFault(slug: string): string | undefined {
  if (slug.length === 0) return "is empty; use lower-case letters, digits and hyphens";
  if (slug.length > MAX_SLUG_LENGTH) return `has ${slug.length} characters; use at most ${MAX_SLUG_LENGTH}`;
  if (!LABEL.test(slug)) return "is not a DNS label; use lower-case letters, digits and inner hyphens";
  if (slug.startsWith("xn--")) return "is a punycode label; use plain letters, digits and hyphens";
  if (RESERVED_SLUGS.has(slug)) return "is reserved for the platform; choose another";
  for (const environment of ["development", "staging"] as const) {
    const suffix = ENVIRONMENT_SUFFIX[environment];
    if (slug.endsWith(suffix))
      return `ends in ${suffix}, which names another tenant's ${environment} host; choose another`;
  }
  return undefined;
}

/** Why a slug that may name a tenant cannot name one of this environment; `undefined` when it can. */
export function labelFault(slug: string, environment: Environment): string | undefined {
  const most = MAX_LABEL_LENGTH - ENVIRONMENT_SUFFIX[environment].length;
  return slug.length > most ? `has ${slug.length} characters; use at most ${most} in ${environment}` : undefined;
}

/** Whether `slug` may name a tenant. */
export function isSlug(slug: string): boolean {
  return slugFault(slug) === undefined;
}
