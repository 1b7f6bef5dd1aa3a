import type { Environment } from "#domain/environment.ts";
import { hooksHostname, tenantHostname } from "#domain/names/hostnames.ts";

/** Address of the dashboard, whose scheme and port tenants share. */
export interface Place {
  url: URL;
  domain: string;
}

export const tenantUrl = (slug: string, environment: Environment, { url, domain }: Place): string =>
  rootOf(tenantHostname(slug, environment, domain), url);

/** Returns the address of a door, which vendors call. */
export const doorUrl = (key: string, environment: Environment, { url, domain }: Place): string =>
  rootOf(hooksHostname(environment, domain), url) + key;

const rootOf = (hostname: string, { protocol, port }: URL) =>
  `${protocol}//${hostname}${port === "" ? "" : `:${port}`}/`;
