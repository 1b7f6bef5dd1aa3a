/** Addresses of a platform's Access applications: a host, or a path prefix of one (vendor: "Application paths"). */
import { ACCESS_APPLICATION_URL } from "@tenantry/cloudflare-limits/values";
import type { Environment } from "../environment.ts";
import {
  dashboardHostname,
  dispatchHostname,
  hooksHostname,
  tenantHostname,
  wildcardHostname,
} from "../names/hostnames.ts";

/** `shared`: one application with a wildcard for the health of all tenants. `tenant`: one application per tenant. */
export const healthApplications = ["shared", "tenant"] as const;
export type HealthApplication = (typeof healthApplications)[number];

/** Public path of a tenant (spec: health document, "Authentication"). */
export const HEALTH_PATH = "/api/health";
/** Paths of the platform's own requests, protected by its bearer token. */
const ORDER_PATHS = ["/_invalidate", "/_backup"] as const;
/** Public paths in staging, where one application guards every host. */
export const STAGING_PUBLIC_PATHS = [HEALTH_PATH, ...ORDER_PATHS] as const;

/** Invitation pages, by token. */
export const INVITATIONS_PATH = "/invitations";
/** Pages that end mails of some kinds, by token. Below the path of invitations, whose Access application covers it. */
export const UNSUBSCRIBE_PATH = `${INVITATIONS_PATH}/unsubscribe`;
/** Partners' logos, which invitation pages and mails show. */
export const LOGOS_PATH = "/logos";
/** Where the automation service pushes events, with its own token. */
export const LIVE_PUSH_PATH = "/internal/live";
/** Pages of tenants' users, who log in at their tenant. */
export const CONSOLE_PATH = "/console";
/** Returns the path below which users of a tenant call the routes of the API. @param slug or a path parameter, such as `:slug` */
export const consoleApi = (slug: string) => `${CONSOLE_PATH}/${slug}/api`;
export const DASHBOARD_PUBLIC_PATHS = [INVITATIONS_PATH, LOGOS_PATH, LIVE_PUSH_PATH, CONSOLE_PATH] as const;

/** Path of a tenant's host that leads its users to the console. The dispatch Worker serves it and reserves all paths below. */
export const CONSOLE_ENTRY = "/.tenantry/";
/** Path of a tenant's host that gives programs with a service token a session for the console's API. */
export const PROGRAM_SESSION = `${CONSOLE_ENTRY}session`;

/** Maximum characters of an application's address, host and path together. */
const MAX_ADDRESS_LENGTH = ACCESS_APPLICATION_URL;

/** Returns the addresses of the platform's applications. */
export function platformAddresses(environment: Environment, domain: string, health: HealthApplication): string[] {
  const dashboard = dashboardHostname(environment, domain);
  const wildcard = wildcardHostname(environment, domain);
  const own = [dashboard, ...DASHBOARD_PUBLIC_PATHS.map((path) => dashboard + path)];
  if (environment === "staging") {
    const orders = dispatchHostname(environment, domain);
    const hooks = hooksHostname(environment, domain);
    return [...own, orders, hooks, wildcard, ...STAGING_PUBLIC_PATHS.map((path) => wildcard + path)];
  }
  return health === "shared" ? [...own, wildcard + HEALTH_PATH] : own;
}

/** Returns the addresses of a tenant's applications; none in staging. */
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

/** Returns why Access rejects the longest of the addresses. */
export function addressFault(addresses: readonly string[]): string | undefined {
  const [longest = ""] = addresses.toSorted((a, b) => b.length - a.length);
  if (longest.length <= MAX_ADDRESS_LENGTH) return undefined;
  return `an Access application at ${longest} would have ${longest.length} characters, and may have ${MAX_ADDRESS_LENGTH}`;
}
