/** What Access applications of a platform stand at: a host, or a path of one with all below it (vendor: "Application paths"). */
import type { Environment } from "../environment.ts";
import { dashboardHostname, tenantHostname, wildcardHostname } from "../names/hostnames.ts";

/** Whether one application opens the health of all tenants, by a wildcard, or each tenant has one of its own. */
export const healthApplications = ["shared", "tenant"] as const;
export type HealthApplication = (typeof healthApplications)[number];

/** What anyone may reach at a tenant (spec: health document, "Authentication"). */
export const HEALTH_PATH = "/api/health";
/** Calls of the platform's own, which its bearer token protects. */
const ORDER_PATHS = ["/_invalidate", "/_backup"] as const;
/** What anyone may reach in staging, where one application guards every host. */
export const STAGING_PUBLIC_PATHS = [HEALTH_PATH, ...ORDER_PATHS] as const;

/** Where an invitation is reviewed and answered, by its token; the rest of the dashboard is behind a log-in. */
export const INVITATIONS_PATH = "/invitations";
/** Where partners' logos are, which that page and mails show. */
export const LOGOS_PATH = "/logos";
/** Where the automation service tells that there are news, by its own token. */
export const LIVE_PUSH_PATH = "/internal/live";
/** What anyone may reach at the dashboard. */
export const DASHBOARD_PUBLIC_PATHS = [INVITATIONS_PATH, LOGOS_PATH, LIVE_PUSH_PATH] as const;

/** Longest address of an application, host and path together, in characters (vendor: "Account limits"). */
const MAX_ADDRESS_LENGTH = 63;

/** What the platform's own applications stand at. */
export function platformAddresses(environment: Environment, domain: string, health: HealthApplication): string[] {
  const dashboard = dashboardHostname(environment, domain);
  const wildcard = wildcardHostname(environment, domain);
  const own = [dashboard, ...DASHBOARD_PUBLIC_PATHS.map((path) => dashboard + path)];
  if (environment === "staging") return [...own, wildcard, ...STAGING_PUBLIC_PATHS.map((path) => wildcard + path)];
  return health === "shared" ? [...own, wildcard + HEALTH_PATH] : own;
}

/** What a tenant's own applications stand at; in staging it has none. */
export function tenantAddresses(
  slug: string,
  environment: Environment,
  domain: string,
  health: HealthApplication,
): string[] {
  if (environment === "staging") return [];
  const host = tenantHostname(slug, environment, domain);
  return health === "tenant" ? [host, host + HEALTH_PATH] : [host];
}

/** Why Access takes no application at one of `addresses`, the longest of them that it does not take. */
export function addressFault(addresses: readonly string[]): string | undefined {
  const [longest = ""] = addresses.toSorted((a, b) => b.length - a.length);
  if (longest.length <= MAX_ADDRESS_LENGTH) return undefined;
  return `an Access application at ${longest} would have ${longest.length} characters, and may have ${MAX_ADDRESS_LENGTH}`;
}
