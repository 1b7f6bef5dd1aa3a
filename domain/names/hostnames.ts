/** Hostnames of tenants and of the platform itself (spec: "Tenant hostnames"). */
import { ENVIRONMENT_SUFFIX, type Environment, environmentName } from "../environment.ts";
import { DASHBOARD_LABEL, DOORS_LABEL, isSlug, MAX_LABEL_LENGTH } from "./slug.ts";

/** Label for the platform's own requests to the dispatch Worker; no slug has an underscore. */
const DISPATCH_LABEL = "_dispatch";

export const tenantHostname = (slug: string, environment: Environment, domain: string): string =>
  `${environmentName(slug, environment)}.${domain}`;

/** Pattern of all tenants' hostnames, such as `*-dev.{domain}`. */
export const wildcardHostname = (environment: Environment, domain: string): string =>
  tenantHostname("*", environment, domain);

/** Such as `dev-dash.{domain}`. */
export const dashboardHostname = (environment: Environment, domain: string): string =>
  `${DASHBOARD_LABEL[environment]}.${domain}`;

/** Host of the platform's own requests, such as `_dispatch-dev.{domain}`. */
export const dispatchHostname = (environment: Environment, domain: string): string =>
  tenantHostname(DISPATCH_LABEL, environment, domain);

/** Host of the doors, the tenants' webhook endpoints, such as `hooks-dev.{domain}`. */
export const hooksHostname = (environment: Environment, domain: string): string =>
  tenantHostname(DOORS_LABEL, environment, domain);

/**
 * Returns the slug in a hostname; `undefined` if it is not a tenant's host in this environment.
 *
 * @param hostname without port, in any case, with or without a trailing dot
 */
export function slugOfHostname(hostname: string, environment: Environment, domain: string): string | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  const tail = `.${domain.toLowerCase()}`;
  if (!host.endsWith(tail)) return undefined;
  return slugOfLabel(host.slice(0, -tail.length), environment);
}

/** Returns the slug in a tenant's name in this environment, such as `acme-dev`; `undefined` for other names. */
export function slugOfLabel(label: string, environment: Environment): string | undefined {
  const suffix = ENVIRONMENT_SUFFIX[environment];
  if (!label.endsWith(suffix) || label.length > MAX_LABEL_LENGTH) return undefined;
  const slug = label.slice(0, label.length - suffix.length);
  return isSlug(slug) ? slug : undefined;
}
