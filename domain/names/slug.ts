/** Slugs, the names of tenants (spec: "Reserved hostnames"). */
import { ENVIRONMENT_SUFFIX, type Environment } from "../environment.ts";

/** Longest slug: a DNS label holds 63 characters and `-dev` takes four. */
export const MAX_SLUG_LENGTH = 59;
export const MAX_LABEL_LENGTH = 63;

/** Label of the dashboard in each environment. */
export const DASHBOARD_LABEL = {
  production: "dash",
  staging: "staging-dash",
  development: "dev-dash",
} as const satisfies Record<Environment, string>;

/** Label of the doors' host in each environment, before the environment's suffix. */
export const DOORS_LABEL = "hooks";

export const RESERVED_SLUGS: ReadonlySet<string> = new Set(Object.values(DASHBOARD_LABEL));

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Returns why a slug is invalid, with the remedy; `undefined` if it is valid. */
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

/** Like {@link slugFault}, for a new tenant. Tenants that had the doors' label before doors existed keep it. */
export const newSlugFault = (slug: string): string | undefined =>
  slugFault(slug) ?? (slug === DOORS_LABEL ? "is reserved for webhooks; choose another" : undefined);

/** Returns why a valid slug is too long for this environment, if it is. */
export function labelFault(slug: string, environment: Environment): string | undefined {
  const most = MAX_LABEL_LENGTH - ENVIRONMENT_SUFFIX[environment].length;
  return slug.length > most ? `has ${slug.length} characters; use at most ${most} in ${environment}` : undefined;
}

export const isSlug = (slug: string): boolean => slugFault(slug) === undefined;
