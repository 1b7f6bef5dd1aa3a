import * as pulumi from "@pulumi/pulumi";

/** Where the resources of the provider `tenantry` find Cloudflare and the database. */
export interface TenantryProviderArgs {
  /** Cloudflare API token, a secret. Default: the environment variable `CLOUDFLARE_API_TOKEN` of the provider. */
  apiToken?: pulumi.Input<string>;
  /** Base of the Cloudflare API. Default: `CLOUDFLARE_BASE_URL`, else `https://api.cloudflare.com/client/v4`. */
  baseUrl?: pulumi.Input<string>;
  /** PostgreSQL URL of the platform's database, a secret. Default: `TENANTRY_DATABASE_URL`. */
  databaseUrl?: pulumi.Input<string>;
}

/**
 * An explicit provider `tenantry`. Whatever is missing is asked for only by a resource that needs it.
 *
 * @example
 * ```ts
 * const tenantry = new TenantryProvider("tenantry", { apiToken: config.requireSecret("apiToken"), databaseUrl });
 * new Migrations("migrations", { directory: "database/migrations" }, { provider: tenantry });
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
