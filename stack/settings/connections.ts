import type * as pulumi from "@pulumi/pulumi";
import { errorLine, type Fault } from "#domain/errors/catalogue-error.ts";
import { stackSettingErrors } from "#domain/errors/stack/stack-settings.ts";

/** Configuration keys, and the variables that replace them. */
const VARIABLES = {
  databaseUrl: "TENANTRY_DATABASE_URL",
  restUrl: "TENANTRY_REST_URL",
  serviceRoleKey: "TENANTRY_SERVICE_ROLE_KEY",
  restApiKey: "TENANTRY_REST_API_KEY",
  accessIssuer: "TENANTRY_ACCESS_ISSUER",
  dispatchUrl: "TENANTRY_DISPATCH_URL",
  aiGatewayUrl: "TENANTRY_AI_GATEWAY_URL",
  // The variable of the Cloudflare provider.
  apiUrl: "CLOUDFLARE_BASE_URL",
  stagingRestUrl: "TENANTRY_STAGING_REST_URL",
  stagingServiceRoleKey: "TENANTRY_STAGING_SERVICE_ROLE_KEY",
  stagingRestApiKey: "TENANTRY_STAGING_REST_API_KEY",
} as const;

const REQUIRED = ["databaseUrl", "restUrl", "serviceRoleKey", "accessIssuer"] as const;

type Key = keyof typeof VARIABLES;
type RequiredKey = (typeof REQUIRED)[number];

/** URLs have no default path; `databaseUrl`, keys and tokens are secrets. Optional ones have the defaults of `PlatformArgs`. */
export type Connections = Record<RequiredKey, string | undefined> & {
  [key in Exclude<Key, RequiredKey>]?: string | undefined;
};

export type PlatformConnections = Connections & Record<RequiredKey, string>;

export function readConnections(config: Pick<pulumi.Config, "get">, variables: NodeJS.ProcessEnv): Connections {
  const entries = Object.entries(VARIABLES).map(([key, variable]) => [
    key,
    config.get(key) || variables[variable] || undefined,
  ]);
  return Object.fromEntries(entries) as Connections;
}

export function isComplete(connections: Connections): connections is PlatformConnections {
  return connectionFaults(connections).length === 0;
}

export function connectionFaults(connections: Connections): Fault[] {
  const missing: Key[] = REQUIRED.filter((key) => !connections[key]);
  // A key without its address, or the reverse, would be used with the other REST layer.
  if (connections.stagingRestUrl && !connections.stagingServiceRoleKey) missing.push("stagingServiceRoleKey");
  if (connections.stagingServiceRoleKey && !connections.stagingRestUrl) missing.push("stagingRestUrl");
  if (connections.stagingRestApiKey && !connections.stagingRestUrl && !connections.stagingServiceRoleKey) {
    missing.push("stagingRestUrl", "stagingServiceRoleKey");
  }
  return missing.map((key) => errorLine(stackSettingErrors.connection_missing, { key, variable: VARIABLES[key] }));
}
