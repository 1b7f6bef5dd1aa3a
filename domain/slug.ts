/**
 * Tenant slugs and the hostnames made from them (spec: "Reserved hostnames", "Tenant hostnames").
 */

/** Environments a platform is deployed as. Only `production` hosts carry no suffix. */
export const environments = ["production", "staging", "development"] as const;
export type Environment = (typeof environments)[number];

/** Longest slug: a DNS label holds 63 characters and `-dev` takes four. */
export const MAX_SLUG_LENGTH = 59;
/** Longest DNS label, in characters. */
const MAX_LABEL_LENGTH = 63;

/** What every name of an environment ends in, so that none is another environment's. */
const SUFFIX = { production: "", staging: "-staging", development: "-dev" } as const satisfies Record<
  Environment,
  string
>;

const DASHBOARD = { production: "dash", staging: "staging-dash", development: "dev-dash" } as const satisfies Record<
  Environment,
  string
>;

/** Hostnames of the platform itself; never a tenant's. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(Object.values(DASHBOARD));

/** Where calls of the platform's own reach the dispatch Worker; an underscore is in no slug. */
const DISPATCH_LABEL = "_dispatch";

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Why `slug` cannot name a tenant, as one sentence with its remedy; `undefined` when it can. */
export function slugFault(slug: string): string | undefined {
  if (slug.length === 0) return "is empty; use lower-case letters, digits and hyphens";
  if (slug.length > MAX_SLUG_LENGTH) return `has ${slug.length} characters; use at most ${MAX_SLUG_LENGTH}`;
  if (!LABEL.test(slug)) return "is not a DNS label; use lower-case letters, digits and inner hyphens";
  if (slug.startsWith("xn--")) return "is a punycode label; use plain letters, digits and hyphens";
  if (RESERVED_SLUGS.has(slug)) return "is reserved for the platform; choose another";
  for (const environment of ["development", "staging"] as const) {
    const suffix = SUFFIX[environment];
    if (slug.endsWith(suffix))
      return `ends in ${suffix}, which names another tenant's ${environment} host; choose another`;
  }
  return undefined;
}

/** Why a slug that may name a tenant cannot name one of this environment; `undefined` when it can. */
export function labelFault(slug: string, environment: Environment): string | undefined {
  const most = MAX_LABEL_LENGTH - SUFFIX[environment].length;
  return slug.length > most ? `has ${slug.length} characters; use at most ${most} in ${environment}` : undefined;
}

/** Whether `slug` may name a tenant. */
export function isSlug(slug: string): boolean {
  return slugFault(slug) === undefined;
}

/** A name in an environment: `acme` in production, `acme-dev` in development, `acme-staging` in staging. */
export function environmentName(name: string, environment: Environment): string {
  return `${name}${SUFFIX[environment]}`;
}

/** The tenant's hostname under the platform's domain. */
export function tenantHostname(slug: string, environment: Environment, domain: string): string {
  return `${environmentName(slug, environment)}.${domain}`;
}

/** What every tenant's hostname of an environment matches: `*.{domain}` in production, `*-dev.{domain}` in development. */
export function wildcardHostname(environment: Environment, domain: string): string {
  return tenantHostname("*", environment, domain);
}

/** The dashboard's hostname: `dash.{domain}`, `dev-dash.{domain}` or `staging-dash.{domain}`. */
export function dashboardHostname(environment: Environment, domain: string): string {
  return `${DASHBOARD[environment]}.${domain}`;
}

/** The hostname for calls of the platform's own: `_dispatch.{domain}`, or `_dispatch-dev.{domain}` in development. */
export function dispatchHostname(environment: Environment, domain: string): string {
  return tenantHostname(DISPATCH_LABEL, environment, domain);
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
  const suffix = SUFFIX[environment];
  if (!label.endsWith(suffix) || label.length > MAX_LABEL_LENGTH) return undefined;
  const slug = label.slice(0, label.length - suffix.length);
  return isSlug(slug) ? slug : undefined;
}
