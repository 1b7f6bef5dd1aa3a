import type { Environment } from "#domain/environment.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";

/** Where tenants are reached: scheme and port are those by which the dashboard itself was reached. */
export interface Place {
  url: URL;
  domain: string;
}

/** Address of a tenant. */
export function tenantUrl(slug: string, environment: Environment, { url, domain }: Place): string {
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${tenantHostname(slug, environment, domain)}${port}/`;
}
