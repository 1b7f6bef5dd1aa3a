import type { Environment } from "#domain/environment.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";

/** Address of the dashboard, whose scheme and port tenants share. */
interface Place {
  url: URL;
  domain: string;
}

export const tenantUrl = (slug: string, environment: Environment, { url: { protocol, port }, domain }: Place) =>
  `${protocol}//${tenantHostname(slug, environment, domain)}${port === "" ? "" : `:${port}`}/`;
