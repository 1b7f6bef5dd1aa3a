import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";
import { HEALTH_PATH, STAGING_PUBLIC_PATHS } from "../domain/access-addresses.ts";
import { dashboardHostname, dispatchHostname, type Environment, wildcardHostname } from "../domain/slug.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { PlatformSettings } from "../stack/settings.ts";
import type { TokenPermissions } from "../stack/token-permissions.ts";
import type { WorkerBundle } from "../workers/bundle.ts";
import { AccessApplication } from "./access-application.ts";
import { AiGatewayPool } from "./ai-gateway-pool.ts";
import { Dashboard } from "./dashboard.ts";
import { Database } from "./database.ts";
import { type DispatchAccess, DispatchWorker } from "./dispatch-worker.ts";
import { platformNames } from "./naming.ts";
import { publicApplication } from "./public-application.ts";
import { DatabaseRecord } from "./resources/database-record.ts";
import type { TenantryProvider } from "./resources/tenantry-provider.ts";

export interface PlatformArgs {
  environment: Environment;
  settings: PlatformSettings;
  /** PostgreSQL URL with the rights to create roles and schemas. Held as a secret. */
  databaseUrl: string;
  /** Base of the REST layer. */
  restUrl: string;
  /** The REST layer's service-role key. Held as a secret. */
  serviceRoleKey: string;
  /** What the REST layer wants in the header `apikey`. Held as a secret. Default: the service-role key. */
  restApiKey?: string | undefined;
  /** REST layer of staging and its keys, which are secrets. Default: the same as elsewhere. */
  stagingRestUrl?: string | undefined;
  stagingServiceRoleKey?: string | undefined;
  stagingRestApiKey?: string | undefined;
  /** Issuer of Access tokens. */
  accessIssuer: string;
  /** Base at which a stack's own run reaches the dispatch Worker. Default: `https://_dispatch.{domain}`, in development `https://_dispatch-dev.{domain}`. */
  dispatchUrl?: string | undefined;
  permissions: TokenPermissions;
  bundles: { dispatch: WorkerBundle; dashboard: WorkerBundle };
  /** Root users and gateway ids that may be taken over from another stack. Default: none. */
  takeOver?: ReadonlySet<string>;
}

/**
 * All that tenants share: database, dispatch Worker, dashboard, root users and the pool of AI gateways.
 *
 * @example
 * ```ts
 * const platform = new Platform("platform", { environment, settings, bundles, ...connections });
 * ```
 */
export class Platform extends pulumi.ComponentResource {
  /** What the stacks of tenants need. */
  readonly outputs: pulumi.Output<PlatformOutputs>;
  /** Provider for rows. */
  readonly provider: TenantryProvider;
  /** Database URL for the stacks of tenants. A secret. */
  readonly databaseUrl: pulumi.Output<string>;
  /** Bearer token of `GET /_invalidate/:slug` and `POST /_backup/:slug`. A secret. */
  readonly invalidateToken: pulumi.Output<string>;
  /** For what has the dispatch Worker do something to tenants. */
  readonly dispatch: DispatchAccess;
  readonly dashboardHostname: string;
  /** Whether the engine refuses to delete what all tenants hang on. */
  readonly protect: boolean;
  /** Row ids of pool entries by gateway id. */
  readonly poolEntries: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: PlatformArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Platform", name, {}, opts);
    const { environment, settings, accessIssuer } = args;
    const { accountId, zoneId, domain } = settings;
    const names = platformNames(environment);
    const child = { parent: this };

    const protect = settings.protect ?? environment === "production";
    this.protect = protect;
    const database = new Database(
      "database",
      { environment, adminUrl: args.databaseUrl, restAuthenticator: settings.restAuthenticator, protect },
      child,
    );
    const rows = { parent: this, provider: database.provider };
    // One person, however the address is written.
    const rootUsers = [...new Set(settings.rootUsers.map((address) => address.toLowerCase()))];
    for (const email of rootUsers) {
      new DatabaseRecord(
        `root-${email}`,
        {
          table: "tenantry.dashboard_users",
          key: { email },
          values: { role: "ROOT" },
          takeOver: args.takeOver?.has(email),
        },
        rows,
      );
    }

    this.dashboardHostname = dashboardHostname(environment, domain);
    const access = new AccessApplication(
      "dashboard",
      {
        accountId,
        displayName: names.dashboardApplication,
        hostname: this.dashboardHostname,
        members: rootUsers,
      },
      child,
    );
    const publicPolicy = new cloudflare.ZeroTrustAccessPolicy(
      "public",
      { accountId, name: names.publicPolicy, decision: "bypass", includes: [{ everyone: {} }] },
      child,
    );
    if (environment !== "staging" && settings.healthApplication === "shared") {
      const address = `${wildcardHostname(environment, domain)}${HEALTH_PATH}`;
      const health = { accountId, displayName: names.healthApplication, address, policyId: publicPolicy.id };
      publicApplication("health", health, child);
    }
    // In staging all tenants are behind one application, which the root users alone may enter.
    const tenants =
      environment === "staging"
        ? new AccessApplication(
            "tenants",
            {
              accountId,
              displayName: names.tenantsApplication,
              hostname: wildcardHostname(environment, domain),
              groups: [access.groupId],
              members: [],
              open: { paths: STAGING_PUBLIC_PATHS, policyId: publicPolicy.id },
            },
            child,
          )
        : undefined;
    const audience = (tenants ?? access).audience;
    const dispatchUrl = args.dispatchUrl?.replace(/\/+$/, "") ?? `https://${dispatchHostname(environment, domain)}`;
    const dispatch = new DispatchWorker(
      "dispatch",
      {
        environment,
        accountId,
        zoneId,
        domain,
        url: dispatchUrl,
        bundle: args.bundles.dispatch,
        restUrl: args.restUrl,
        serviceRoleKey: args.serviceRoleKey,
        restApiKey: args.restApiKey,
        stagingRestUrl: args.stagingRestUrl,
        stagingServiceRoleKey: args.stagingServiceRoleKey,
        stagingRestApiKey: args.stagingRestApiKey,
        accessIssuer,
        platformAudience: audience,
        migrations: database.migrations,
        protect,
      },
      child,
    );
    new Dashboard(
      "dashboard",
      { environment, accountId, zoneId, domain, bundle: args.bundles.dashboard, database, access, accessIssuer },
      child,
    );
    const pool = new AiGatewayPool(
      "pool",
      {
        environment,
        accountId,
        gateways: settings.aiGateways,
        pii: settings.pii,
        ...(args.takeOver && { takeOver: args.takeOver }),
      },
      { parent: this, providers: [database.provider] },
    );

    this.poolEntries = pool.entries;
    this.provider = database.provider;
    this.databaseUrl = database.provisionerUrl;
    this.invalidateToken = dispatch.invalidateToken;
    this.dispatch = dispatch.access;
    this.outputs = pulumi.output({
      version: 1 as const,
      environment,
      domain,
      accountId,
      zoneId,
      dispatchUrl,
      dispatchNamespace: dispatch.dispatchNamespace,
      rootGroupId: access.groupId,
      audience,
      publicPolicyId: publicPolicy.id,
      healthApplication: settings.healthApplication,
      bucketCredentials: settings.bucketCredentials,
      limits: settings.limits,
      containerImage: settings.containerImage,
      backupRetentionDays: settings.backupRetentionDays,
      createDedicatedAiGateways: settings.createDedicatedAiGateways,
      pii: settings.pii,
      permissions: args.permissions,
    });
    this.registerOutputs({ outputs: this.outputs });
  }
}
