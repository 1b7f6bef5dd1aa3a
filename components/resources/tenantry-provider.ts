import * as pulumi from "@pulumi/pulumi";

/** Connections of the provider `tenantry`. A resource fails if it needs one that is missing. */
export interface TenantryProviderArgs {
  /** Cloudflare API token, a secret. Default: the provider's environment variable `CLOUDFLARE_API_TOKEN`. */
  apiToken?: pulumi.Input<string>;
  /** Base URL of the Cloudflare API. Default: `CLOUDFLARE_BASE_URL`, else `https://api.cloudflare.com/client/v4`. */
  baseUrl?: pulumi.Input<string>;
  /** PostgreSQL URL of the platform's database, a secret. Default: `TENANTRY_DATABASE_URL`. */
  databaseUrl?: pulumi.Input<string>;
}

/**
 * An explicit provider `tenantry`.
 * @example
 * ```ts
 * const tenantry = new TenantryProvider("tenantry", { apiToken: config.requireSecret("apiToken"), databaseUrl });
 * new Migrations("migrations", {}, { provider: tenantry });
 * ```
 */
export class TenantryProvider extends pulumi.ProviderResource {
  constructor(name: string, args: TenantryProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super(
      "tenantry",
      name,
      {
        baseUrl: args.baseUrl,
        apiToken: args.apiToken === undefined ? undefined : pulumi.secret(args.apiToken),
        databaseUrl: args.databaseUrl === undefined ? undefined : pulumi.secret(args.databaseUrl),
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["apiToken", "databaseUrl"] }),
    );
  }
}
