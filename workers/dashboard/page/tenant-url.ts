import type { Environment } from "#domain/environment.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";

/** Address of the dashboard, whose scheme and port tenants share. */
export interface Place {
  url: URL;
  domain: string;
}

export function tenantUrl(slug: string, environment: Environment, { url, domain }: Place): string {
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${tenantHostname(slug, environment, domain)}${port}/`;
}
