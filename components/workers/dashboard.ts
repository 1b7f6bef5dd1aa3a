import { HyperdriveConfig } from "@pulumi/cloudflare/hyperdriveConfig.js";
import { R2Bucket } from "@pulumi/cloudflare/r2bucket.js";
import { WorkersRoute } from "@pulumi/cloudflare/workersRoute.js";
import { WorkersScript } from "@pulumi/cloudflare/workersScript.js";
import * as pulumi from "@pulumi/pulumi";
import { platformBound } from "#domain/egress/bound.ts";
import { platformNames } from "#domain/names/deployed-names.ts";
import { dashboardHostname } from "#domain/names/hostnames.ts";
import { type Rotations, slotName } from "#domain/rotation.ts";
import type { PlatformSettings } from "#domain/settings/platform.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import { type DashboardBindings, LIVE_CLASS } from "#workers/contracts/bindings.ts";
import type { PagesBundle } from "#workers/pages.ts";
import type { AccessApplication } from "../access/access-application.ts";
import { accountToken } from "../account-token.ts";
import type { Database } from "../database/database.ts";
import { ObjectClasses } from "../resources/object-classes.ts";
import { declareRotating, type Rotating, rotatingPassword } from "../rotating.ts";
import type { Site } from "../site.ts";
import { type BindingsOf, doorsKeyBindings, listBindings, plainText, secretText, settingBindings } from "./bindings.ts";
import type { DispatchAccess } from "./dispatch-worker.ts";
import { pageAssets } from "./page-assets.ts";
import { scriptContent } from "./script-content.ts";
import { workerHost } from "./worker-host.ts";

const TOKEN_LENGTH = 48;

interface DashboardArgs {
  site: Site;
  bundle: WorkerBundle;
  pages: PagesBundle;
  database: Database;
  access: AccessApplication;
  accessIssuer: string;
  /** Base URL of Cloudflare's API, without a trailing slash. */
  apiUrl: string;
  /** Permission group of tokens that query Analytics Engine. */
  analyticsRead: string;
  /** Permission group of tokens that create and delete service tokens of Access. */
  serviceTokensWrite: string;
  dispatch: DispatchAccess;
  settings: PlatformSettings;
  /** The platform's stack, as `{organization}/{project}/{stack}`. */
  stack: string;
  rotations: Rotations;
  /** Password from which the key of doors' secrets is derived. */
  doorsKey: Rotating<pulumi.Output<string>>;
}

/**
 * The control-plane Worker on `dash.{domain}` (`dev-dash.{domain}` in development, `staging-dash.{domain}` in staging), which reads
 * the database through Hyperdrive.
 * @example
 * ```ts
 * new Dashboard("dashboard", { site, bundle, pages, database, access, accessIssuer, apiUrl, analyticsRead, serviceTokensWrite, dispatch, settings, stack, rotations });
 * ```
 */
export class Dashboard extends pulumi.ComponentResource {
  /** Bearer token for live events from the automation service. A secret. */
  readonly liveToken: pulumi.Output<string>;

  constructor(name: string, args: DashboardArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Dashboard", name, {}, opts);
    const { site, database, rotations } = args;
    const { environment, accountId, zoneId, domain } = site;
    const names = platformNames(environment);
    const child = { parent: this };
    const { host, port, database: databaseName } = database.address;
    const hostname = dashboardHostname(environment, domain);

    const hyperdrive = new HyperdriveConfig(
      "dashboard",
      {
        accountId,
        name: names.hyperdrive,
        // Lists must show recent writes.
        caching: { disabled: true },
        origin: {
          scheme: "postgres",
          host,
          port,
          database: databaseName,
          user: database.dashboard.user,
          password: database.dashboard.password,
        },
      },
      child,
    );
    const { used: analyticsToken } = declareRotating("analytics", rotations.apiTokens, (name, version) => {
      const displayName = slotName(names.analyticsToken, version);
      return accountToken(name, { accountId, displayName, permission: args.analyticsRead }, child);
    });
    const { used: serviceTokensToken } = declareRotating("service-tokens", rotations.apiTokens, (name, version) => {
      const displayName = slotName(names.serviceTokensToken, version);
      return accountToken(name, { accountId, displayName, permission: args.serviceTokensWrite }, child);
    });
    // The API does not delete a bucket with objects, so logos cannot be lost.
    const logos = new R2Bucket(
      "logos",
      { accountId, name: names.logosBucket },
      { ...child, ignoreChanges: ["jurisdiction", "location", "storageClass"] },
    );
    const liveToken = rotatingPassword("live-token", { rotation: rotations.liveToken, length: TOKEN_LENGTH }, child);
    this.liveToken = liveToken.used;
    const classes = new ObjectClasses(
      name,
      { accountId, scriptName: names.dashboardScript, tag: "v1", sqliteClasses: [LIVE_CLASS] },
      { ...child, provider: database.provider },
    );
    const bindings: BindingsOf<DashboardBindings> = {
      DB: { type: "hyperdrive", id: hyperdrive.id },
      LOGOS: { type: "r2_bucket", bucketName: logos.name },
      PLATFORM_DOMAIN: plainText(domain),
      ENVIRONMENT: plainText(environment),
      ACCESS_ISSUER: plainText(args.accessIssuer),
      ACCESS_AUD: plainText(args.access.audience),
      CF_ACCOUNT_ID: plainText(accountId),
      CLOUDFLARE_API_URL: plainText(args.apiUrl),
      ANALYTICS_DATASET: plainText(names.analyticsDataset),
      ANALYTICS_TOKEN: secretText(analyticsToken.value),
      SERVICE_TOKENS_TOKEN: secretText(serviceTokensToken.value),
      ...settingBindings("dashboard", args.settings),
      PLATFORM_STACK: plainText(args.stack),
      DISPATCH_URL: plainText(args.dispatch.url),
      INVALIDATE_TOKEN: secretText(args.dispatch.token),
      LIVE: { type: "durable_object_namespace", className: LIVE_CLASS },
      LIVE_TOKEN: secretText(liveToken.used),
      OTHER_LIVE_TOKEN: liveToken.other && secretText(liveToken.other),
      ...doorsKeyBindings(args.doorsKey),
      EGRESS_BOUND: plainText(JSON.stringify(platformBound(domain, args.settings.egress))),
      ASSETS: { type: "assets" },
    };
    const script = new WorkersScript(
      name,
      {
        accountId,
        scriptName: names.dashboardScript,
        // Invitations have secret paths.
        ...scriptContent(args.bundle, { hasSecretPaths: true }),
        assets: pageAssets(args.pages),
        bindings: listBindings(bindings),
      },
      { ...child, additionalSecretOutputs: ["bindings"], dependsOn: classes },
    );
    if (environment !== "production") workerHost(name, { zoneId, hostname }, child);
    // The route is more specific than the wildcard of the dispatch Worker, so it takes precedence.
    new WorkersRoute(name, { zoneId, pattern: `${hostname}/*`, script: script.scriptName }, child);
    this.registerOutputs({ hostname });
  }
}
