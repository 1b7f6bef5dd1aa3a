/** The login of `npm run fleet -- call`. */
import { type Client, createClient, tenantClient } from "@tenantry/client";
import * as z from "zod";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetCallErrors as errors } from "#domain/errors/commands/fleet-call.ts";

const text = z.string().min(1);
/** Of a service token, which acts as its user of a tenant. */
const ofTenant = z.object({ TENANT_URL: z.url(), CF_ACCESS_CLIENT_ID: text, CF_ACCESS_CLIENT_SECRET: text });
/** Of a user of the dashboard. */
const ofDashboard = z.object({ DASHBOARD: z.url(), TOKEN: text });

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws CatalogueError when the environment has no login */
export function clientFor(variables: Variables, fetch: typeof globalThis.fetch): Client {
  const tenant = ofTenant.safeParse(variables);
  if (tenant.success) {
    const { TENANT_URL: tenantUrl, CF_ACCESS_CLIENT_ID: clientId, CF_ACCESS_CLIENT_SECRET: clientSecret } = tenant.data;
    return tenantClient({ tenantUrl, clientId, clientSecret, fetch });
  }
  const dashboard = ofDashboard.safeParse(variables);
  if (!dashboard.success) throw new CatalogueError(errors.call_login_missing);
  const { DASHBOARD: baseUrl, TOKEN: token } = dashboard.data;
  return createClient({ baseUrl, headers: { "cf-access-token": token }, fetch });
}
