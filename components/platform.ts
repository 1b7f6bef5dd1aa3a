import { ZeroTrustAccessPolicy } from "@pulumi/cloudflare/zeroTrustAccessPolicy.js";
import * as pulumi from "@pulumi/pulumi";
import { DASHBOARD_PUBLIC_PATHS, HEALTH_PATH, STAGING_PUBLIC_PATHS } from "#domain/access/access-addresses.ts";
import { platformNames } from "#domain/names/deployed-names.ts";
import { dashboardHostname, dispatchHostname, hooksHostname, wildcardHostname } from "#domain/names/hostnames.ts";
import { accountNeeds } from "#domain/plans/account-limits.ts";
import { containerNeeds } from "#domain/plans/capacity.ts";
import { RELEASE } from "#domain/release.ts";
import { type Rotations, secretVersions } from "#domain/rotation.ts";
import { type PlatformSettings, tenantPlatformSettings } from "#domain/settings/platform.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { PagesBundle } from "#workers/pages.ts";
import { AccessApplication } from "./access/access-application.ts";
import { publicApplication } from "./access/public-application.ts";
import { RootUsers } from "./access/root-users.ts";
import { AiGatewayPool } from "./ai-gateways/ai-gateway-pool.ts";
import { Database } from "./database/database.ts";
import type { PlatformOutputs, PlatformTokenPermissions } from "./platform-outputs.ts";
import { DatabaseRecord } from "./resources/database-record.ts";
import type { TenantryProvider } from "./resources/tenantry-provider.ts";
import { type Rotating, rotatingPassword } from "./rotating.ts";
import type { Site } from "./site.ts";
import { Dashboard } from "./workers/dashboard.ts";
import { type DispatchAccess, DispatchWorker, type RestLayers } from "./workers/dispatch-worker.ts";

const KEY_LENGTH = 48;
const API_URL = "https://api.cloudflare.com/client/v4";
const AI_GATEWAY_URL = "https://gateway.ai.cloudflare.com";

const withoutSlash = (url: string | undefined) => url?.replace(/\/+$/, "");

export interface PlatformArgs extends Site, RestLayers, PlatformSettings {
  /** The platform's stack, as `{organization}/{project}/{stack}`. */
  stack: string;
  /** Default: no secret was ever rotated. */
  rotations?: Rotations | undefined;
  /** PostgreSQL URL of a role that can create roles and schemas. Stored as a secret. */
  databaseUrl: string;
  accessIssuer: string;
  /** Base URL of the dispatch Worker for stacks. Default: `https://_dispatch.{domain}`, in development `https://_dispatch-dev.{domain}`. */
  dispatchUrl?: string | undefined;
  /** Base URL of the AI gateways. Default: Cloudflare's. */
  aiGatewayUrl?: string | undefined;
  /** Base URL of Cloudflare's API for Workers. Default: Cloudflare's. */
  apiUrl?: string | undefined;
  /** Whether the doors' host is declared. Default: true; false while a tenant from before doors has it. */
  doorsHost?: boolean | undefined;
  permissions: PlatformTokenPermissions;
  bundles: { dispatch: WorkerBundle; dashboard: WorkerBundle };
  pages: PagesBundle;
  /** Root users and gateway ids to take over from another stack. Default: none. */
  takeOver?: ReadonlySet<string>;
}

/**
 * What all tenants share: database, dispatch Worker, dashboard, root users and the pool of AI gateways.
 * @example
 * ```ts
 * const platform = new Platform("platform", { stack, environment, ...settings, ...connections, permissions, bundles, pages });
 * ```
 */
export class Platform extends pulumi.ComponentResource {
  readonly outputs: pulumi.Output<PlatformOutputs>;
  readonly provider: TenantryProvider;
  /** Database URL for the stacks of tenants. A secret. */
  readonly databaseUrl: pulumi.Output<string>;
  /** Database URL for the automation service. A secret. */
  readonly serviceUrl: pulumi.Output<string>;
  /** Bearer token of `GET /_invalidate/:slug` and `POST /_backup/:slug`. A secret. */
  readonly invalidateToken: pulumi.Output<string>;
  readonly dispatch: DispatchAccess;
  readonly dashboardHostname: string;
  /** Bearer token for live events from the automation service. A secret. */
  readonly liveToken: pulumi.Output<string>;
  /** Password from which the key of doors' secrets is derived. Its versions are secrets. */
  readonly doorsKey: Rotating<pulumi.Output<string>>;
  /** Whether the engine refuses to delete resources that all tenants need. */
  readonly protect: boolean;
  /** The account's limits, which the database checks when a tenant's row is written. */
  readonly accountLimits: DatabaseRecord;
  readonly poolEntries: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: PlatformArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Platform", name, {}, opts);
    const { environment, accountId, zoneId, domain, accessIssuer, rotations = {} } = args;
    const versions = secretVersions(rotations);
    const site: Site = { environment, accountId, zoneId, domain };
    const names = platformNames(environment);
    const child = { parent: this };

    const protect = args.protect ?? environment === "production";
    this.protect = protect;
    const database = new Database(
      "database",
      {
        environment,
        adminUrl: args.databaseUrl,
        restAuthenticator: args.restAuthenticator,
        rotation: rotations.databaseLogins,
        protect,
      },
      child,
    );
    const rows = { parent: this, provider: database.provider };
    // E-mail addresses are compared without case.
    const rootUsers = [...new Set(args.rootUsers.map((address) => address.toLowerCase()))];
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

    this.accountLimits = new DatabaseRecord(
      "account-limits",
      {
        table: "tenantry.account_limits",
        key: { environment },
        values: {
          limits: args.limits,
          needs: accountNeeds({
            ...args,
            tokenRotation: rotations.tenantTokens,
            platformTokenRotation: rotations.apiTokens,
          }),
          containers: containerNeeds(args.containers),
          ai_spend: args.aiSpendLimits,
        },
      },
      rows,
    );

    this.dashboardHostname = dashboardHostname(environment, domain);
    const publicPolicy = new ZeroTrustAccessPolicy(
      "public",
      { accountId, name: names.publicPolicy, decision: "bypass", includes: [{ everyone: {} }] },
      child,
    );
    // They do not use the rows, so they need not wait for the database.
    const members = { parent: this, providers: [database.owner] };
    const roots = new RootUsers(
      "root-users",
      {
        accountId,
        displayName: names.rootUsers,
        hostname: this.dashboardHostname,
        named: rootUsers,
      },
      members,
    );
    const access = new AccessApplication(
      "dashboard",
      {
        accountId,
        displayName: names.dashboardApplication,
        hostname: this.dashboardHostname,
        groups: [roots.groupId],
        open: { paths: DASHBOARD_PUBLIC_PATHS, policyId: publicPolicy.id },
      },
      members,
    );
    if (environment !== "staging" && args.healthApplication === "shared") {
      const address = `${wildcardHostname(environment, domain)}${HEALTH_PATH}`;
      const health = { accountId, displayName: names.healthApplication, address, policyId: publicPolicy.id };
      publicApplication("health", health, child);
    }
    // In staging one application protects all tenants, and only root users have access.
    const tenants =
      environment === "staging"
        ? new AccessApplication(
            "tenants",
            {
              accountId,
              displayName: names.tenantsApplication,
              hostname: wildcardHostname(environment, domain),
              groups: [roots.groupId],
              members: false,
              open: { paths: STAGING_PUBLIC_PATHS, policyId: publicPolicy.id },
            },
            child,
          )
        : undefined;
    if (environment === "staging") {
      // The platform's own requests have its bearer token. The application of all hosts would ask them for a login.
      const address = dispatchHostname(environment, domain);
      const orders = { accountId, displayName: names.ordersApplication, address, policyId: publicPolicy.id };
      publicApplication("orders", orders, child);
      // Vendors send webhooks without a login; dispatch verifies their signatures.
      const doors = hooksHostname(environment, domain);
      const hooks = { accountId, displayName: names.hooksApplication, address: doors, policyId: publicPolicy.id };
      if (args.doorsHost !== false) publicApplication("hooks", hooks, child);
    }
    const audience = (tenants ?? access).audience;
    const dispatchUrl = withoutSlash(args.dispatchUrl) ?? `https://${dispatchHostname(environment, domain)}`;
    const apiUrl = withoutSlash(args.apiUrl) ?? API_URL;
    this.doorsKey = rotatingPassword("doors-key", { rotation: rotations.doorsKey, length: KEY_LENGTH }, child);
    const dispatch = new DispatchWorker(
      "dispatch",
      {
        site,
        url: dispatchUrl,
        bundle: args.bundles.dispatch,
        rest: args,
        settings: args,
        apiUrl,
        aiGatewayRead: args.permissions.aiGatewayRead,
        accessIssuer,
        platformAudience: audience,
        rotations,
        doorsHost: args.doorsHost,
        doorsKey: this.doorsKey,
        migrations: database.migrations,
        protect,
      },
      child,
    );
    const dashboard = new Dashboard(
      "dashboard",
      {
        site,
        bundle: args.bundles.dashboard,
        pages: args.pages,
        database,
        access,
        accessIssuer,
        apiUrl,
        analyticsRead: args.permissions.analyticsRead,
        serviceTokensWrite: args.permissions.serviceTokensWrite,
        dispatch: dispatch.access,
        settings: args,
        stack: args.stack,
        rotations,
        doorsKey: this.doorsKey,
      },
      child,
    );
    this.liveToken = dashboard.liveToken;
    const pool = new AiGatewayPool(
      "pool",
      {
        site,
        gateways: args.aiGateways,
        pii: args.pii,
        spendLimits: args.aiSpendLimits,
        ...(args.takeOver && { takeOver: args.takeOver }),
      },
      { parent: this, providers: [database.provider] },
    );

    new DatabaseRecord(
      "version",
      { table: "tenantry.platform_versions", key: { environment }, values: { version: RELEASE } },
      // It states what is deployed, so it is written last.
      { ...rows, dependsOn: [dispatch, dashboard, pool] },
    );
    this.poolEntries = pool.entries;
    this.provider = database.provider;
    this.databaseUrl = database.provisionerUrl;
    this.serviceUrl = database.serviceUrl;
    this.invalidateToken = dispatch.invalidateToken;
    this.dispatch = dispatch.access;
    this.outputs = pulumi.output({
      version: 1 as const,
      ...site,
      dispatchUrl,
      dispatchNamespace: dispatch.dispatchNamespace,
      rootGroupId: roots.groupId,
      audience,
      publicPolicyId: publicPolicy.id,
      ...tenantPlatformSettings(args),
      aiGatewayUrl: withoutSlash(args.aiGatewayUrl) ?? AI_GATEWAY_URL,
      permissions: {
        bucketObjectWrite: args.permissions.bucketObjectWrite,
        aiGatewayRun: args.permissions.aiGatewayRun,
      },
      ...(rotations.tenantTokens && { tokenRotation: rotations.tenantTokens }),
      ...(rotations.apiTokens && { platformTokenRotation: rotations.apiTokens }),
      ...(Object.keys(versions).length > 0 && { secretVersions: versions }),
    });
    this.registerOutputs({ outputs: this.outputs });
  }
}
