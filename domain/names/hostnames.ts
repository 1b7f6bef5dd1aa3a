/** Hostnames of tenants and of the platform itself (spec: "Tenant hostnames"). */
import { ENVIRONMENT_SUFFIX, type Environment, environmentName } from "../environment.ts";
import { DASHBOARD_LABEL, isSlug, MAX_LABEL_LENGTH } from "./slug.ts";

/** Where calls of the platform's own reach the dispatch Worker; an underscore is in no slug. */
const DISPATCH_LABEL = "_dispatch";

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
  return `${DASHBOARD_LABEL[environment]}.${domain}`;
}

/** The hostname for calls of the platform's own: `_dispatch.{domain}`, or `_dispatch-dev.{domain}` in development. */
export function dispatchHostname(environment: Environment, domain: string): string {
  return tenantHostname(DISPATCH_LABEL, environment, domain);
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
  return slugOfLabel(host.slice(0, -tail.length), environment);
}

/** The slug in what a tenant is called in this environment, `acme-dev` in development; `undefined` when that is no tenant's here. */
export function slugOfLabel(label: string, environment: Environment): string | undefined {
  const suffix = ENVIRONMENT_SUFFIX[environment];
  if (!label.endsWith(suffix) || label.length > MAX_LABEL_LENGTH) return undefined;
  const slug = label.slice(0, label.length - suffix.length);
  return isSlug(slug) ? slug : undefined;
}
