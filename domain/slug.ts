/**
 * Tenant slugs and the hostnames made from them (spec: "Reserved hostnames", "Tenant hostnames").
 */

/** Environments a platform is deployed as. Only `production` hosts carry no suffix. */
export const environments = ["production", "staging", "development"] as const;
export type Environment = (typeof environments)[number];

/** Longest slug: a DNS label holds 63 characters and `-dev` takes four. */
export const MAX_SLUG_LENGTH = 59;

/** Suffix of every name outside production. */
export const NON_PRODUCTION_SUFFIX = "-dev";

/** Hostnames of the platform itself; never a tenant's. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(["dash", "dev-dash"]);

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Why `slug` cannot name a tenant, as one sentence with its remedy; `undefined` when it can. */
export function slugFault(slug: string): string | undefined {
  if (slug.length === 0) return "is empty; use lower-case letters, digits and hyphens";
  if (slug.length > MAX_SLUG_LENGTH) return `has ${slug.length} characters; use at most ${MAX_SLUG_LENGTH}`;
  if (!LABEL.test(slug)) return "is not a DNS label; use lower-case letters, digits and inner hyphens";
  if (slug.startsWith("xn--")) return "is a punycode label; use plain letters, digits and hyphens";
  if (RESERVED_SLUGS.has(slug)) return "is reserved for the platform; choose another";
  if (slug.endsWith(NON_PRODUCTION_SUFFIX))
    return `ends in ${NON_PRODUCTION_SUFFIX}, which names another tenant's development host; choose another`;
  return undefined;
}

/** Whether `slug` may name a tenant. */
export function isSlug(slug: string): boolean {
  return slugFault(slug) === undefined;
}

/** The tenant's name in an environment: `acme` in production, `acme-dev` elsewhere. */
export function environmentName(slug: string, environment: Environment): string {
  return environment === "production" ? slug : `${slug}${NON_PRODUCTION_SUFFIX}`;
}

/** The tenant's hostname under the platform's domain. */
export function tenantHostname(slug: string, environment: Environment, domain: string): string {
  return `${environmentName(slug, environment)}.${domain}`;
}

/** The dashboard's hostname: `dash.{domain}` in production, `dev-dash.{domain}` elsewhere. */
export function dashboardHostname(environment: Environment, domain: string): string {
  return `${environment === "production" ? "dash" : "dev-dash"}.${domain}`;
}

/** The name of the tenant's script in the dispatch namespace: `tenant-{slug}`. */
export function tenantScriptName(slug: string, environment: Environment): string {
  return `tenant-${environmentName(slug, environment)}`;
}

/**
 * The slug that a request's hostname names, or `undefined` when the host is no tenant's in this environment.
 *
 * @param hostname the host without port, in any case, with or without a trailing dot
 */
export function slugOfHostname(hostname: string, environment: Environment, domain: string): string | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  const tail = `.${domain.toLowerCase()}`;
  if (!host.endsWith(tail)) return undefined;
  const label = host.slice(0, -tail.length);
  if (environment === "production") return isSlug(label) ? label : undefined;
  if (!label.endsWith(NON_PRODUCTION_SUFFIX)) return undefined;
  const slug = label.slice(0, -NON_PRODUCTION_SUFFIX.length);
  return isSlug(slug) ? slug : undefined;
}
