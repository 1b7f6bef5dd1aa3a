/**
 * Where a platform's services are and how they are entered. A machine often knows these better than a file, so each comes from
 * the stack's configuration or, failing that, a variable of the process.
 */
import type * as pulumi from "@pulumi/pulumi";

/** Configuration keys and the variables that may stand in for them. */
const VARIABLES = {
  databaseUrl: "TENANTRY_DATABASE_URL",
  restUrl: "TENANTRY_REST_URL",
  serviceRoleKey: "TENANTRY_SERVICE_ROLE_KEY",
  restApiKey: "TENANTRY_REST_API_KEY",
  accessIssuer: "TENANTRY_ACCESS_ISSUER",
  dispatchUrl: "TENANTRY_DISPATCH_URL",
  aiGatewayUrl: "TENANTRY_AI_GATEWAY_URL",
  // The Cloudflare provider's own.
  apiUrl: "CLOUDFLARE_BASE_URL",
  stagingRestUrl: "TENANTRY_STAGING_REST_URL",
  stagingServiceRoleKey: "TENANTRY_STAGING_SERVICE_ROLE_KEY",
  stagingRestApiKey: "TENANTRY_STAGING_REST_API_KEY",
} as const;

const REQUIRED = ["databaseUrl", "restUrl", "serviceRoleKey", "accessIssuer"] as const;

export interface Connections {
  /** PostgreSQL URL with the rights to create roles and schemas. A secret. */
  databaseUrl: string | undefined;
  /** Base of the REST layer. */
  restUrl: string | undefined;
  /** The REST layer's service-role key. A secret. */
  serviceRoleKey: string | undefined;
  /**
   * What the REST layer wants in the header `apikey` beside the service-role key as bearer, such as the API key of a Supabase project.
   * A secret. Default: the service-role key.
   */
  restApiKey?: string | undefined;
  /** Issuer of Access tokens, such as `https://team.cloudflareaccess.com`. */
  accessIssuer: string | undefined;
  /** Base at which a stack's own run reaches the dispatch Worker. Default: `https://_dispatch.{domain}`. */
  dispatchUrl?: string | undefined;
  /** Base under which the AI gateways lie. Default: `https://gateway.ai.cloudflare.com`. */
  aiGatewayUrl?: string | undefined;
  /** Base of Cloudflare's API, as the dispatch Worker reaches it. Default: `https://api.cloudflare.com/client/v4`. */
  apiUrl?: string | undefined;
  /** REST layer that staging uses instead. Default: the same as elsewhere. */
  stagingRestUrl?: string | undefined;
  /** The service-role key of staging's REST layer. A secret. */
  stagingServiceRoleKey?: string | undefined;
  /** The API key of staging's REST layer. A secret. Default: staging's service-role key. */
  stagingRestApiKey?: string | undefined;
}

/** The connections of a stack that declares a platform. */
export type PlatformConnections = Connections & { [key in (typeof REQUIRED)[number]]: string };

export function readConnections(config: pulumi.Config, variables: NodeJS.ProcessEnv): Connections {
  const from = (key: keyof typeof VARIABLES) => config.get(key) || variables[VARIABLES[key]] || undefined;
  return {
    databaseUrl: from("databaseUrl"),
    restUrl: from("restUrl"),
    serviceRoleKey: from("serviceRoleKey"),
    restApiKey: from("restApiKey"),
    accessIssuer: from("accessIssuer"),
    dispatchUrl: from("dispatchUrl"),
    aiGatewayUrl: from("aiGatewayUrl"),
    apiUrl: from("apiUrl"),
    stagingRestUrl: from("stagingRestUrl"),
    stagingServiceRoleKey: from("stagingServiceRoleKey"),
    stagingRestApiKey: from("stagingRestApiKey"),
  };
}

export function isComplete(connections: Connections): connections is PlatformConnections {
  return connectionFaults(connections).length === 0;
}

/** What a platform misses, a line each with its remedy. */
export function connectionFaults(connections: Connections): string[] {
  const missing: (keyof typeof VARIABLES)[] = REQUIRED.filter((key) => !connections[key]);
  // A key without its address, or the reverse, would lead to the other database.
  if (connections.stagingRestUrl && !connections.stagingServiceRoleKey) missing.push("stagingServiceRoleKey");
  if (connections.stagingServiceRoleKey && !connections.stagingRestUrl) missing.push("stagingRestUrl");
  if (connections.stagingRestApiKey && !connections.stagingRestUrl && !connections.stagingServiceRoleKey) {
    missing.push("stagingRestUrl", "stagingServiceRoleKey");
  }
  return missing.map(
    (key) => `tenantry:${key}: is missing; set it in the stack's configuration or as ${VARIABLES[key]}`,
  );
}
