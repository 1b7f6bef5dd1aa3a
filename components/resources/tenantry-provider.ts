import * as pulumi from "@pulumi/pulumi";

/** Connections of the provider `tenantry`. A resource fails if it needs one that is missing. */
export interface TenantryProviderArgs {
  /** Cloudflare API token, a secret. Default: the provider's environment variable `CLOUDFLARE_API_TOKEN`. */
  apiToken?: pulumi.Input<string>;
  /** Base URL of the Cloudflare API. Default: `CLOUDFLARE_BASE_URL`, else `https://api.cloudflare.com/client/v4`. */
  baseUrl?: pulumi.Input<string>;
  /** PostgreSQL URL of the platform's database, a secret. Default: `TENANTRY_DATABASE_URL`. */
  databaseUrl?: pulumi.Input<string>;
  /** Password from which the key for the secrets of doors is derived, a secret. Only doors need it. */
  doorsKey?: pulumi.Input<string> | undefined;
  /** The other valid version of `doorsKey` during a rotation, a secret. */
  otherDoorsKey?: pulumi.Input<string> | undefined;
}

const secretOf = (value: pulumi.Input<string> | undefined) => (value === undefined ? undefined : pulumi.secret(value));

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
        apiToken: secretOf(args.apiToken),
        databaseUrl: secretOf(args.databaseUrl),
        doorsKey: secretOf(args.doorsKey),
        otherDoorsKey: secretOf(args.otherDoorsKey),
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["apiToken", "databaseUrl", "doorsKey", "otherDoorsKey"] }),
    );
  }
}
