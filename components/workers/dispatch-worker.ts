import { Queue } from "@pulumi/cloudflare/queue.js";
import { QueueConsumer } from "@pulumi/cloudflare/queueConsumer.js";
import { WorkersCronTrigger } from "@pulumi/cloudflare/workersCronTrigger.js";
import { WorkersForPlatformsDispatchNamespace } from "@pulumi/cloudflare/workersForPlatformsDispatchNamespace.js";
import { WorkersKvNamespace } from "@pulumi/cloudflare/workersKvNamespace.js";
import { WorkersRoute } from "@pulumi/cloudflare/workersRoute.js";
import { WorkersScript } from "@pulumi/cloudflare/workersScript.js";
import * as pulumi from "@pulumi/pulumi";
import { platformNames } from "#domain/names/deployed-names.ts";
import { dispatchHostname, hooksHostname, wildcardHostname } from "#domain/names/hostnames.ts";
import { type Rotations, slotName } from "#domain/rotation.ts";
import type { PlatformSettings } from "#domain/settings/platform.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { DispatchBindings } from "#workers/contracts/bindings.ts";
import { accountToken } from "../account-token.ts";
import { declareRotating, type Rotating, rotatingPassword } from "../rotating.ts";
import type { Site } from "../site.ts";
import {
  type BindingsOf,
  convertIfDefined,
  doorsKeyBindings,
  listBindings,
  plainText,
  secretText,
  settingBindings,
} from "./bindings.ts";
import { scriptContent } from "./script-content.ts";
import { workerHost } from "./worker-host.ts";

const TOKEN_LENGTH = 48;
/** Messages of up to 20 tenants each: a batch stays far below the subrequest limit of one invocation. */
const FANOUT_BATCH = 20;
const EVERY_MINUTE = "* * * * *";

/** Access to the dispatch Worker for the platform's own requests. */
export interface DispatchAccess {
  /** Base URL without a trailing slash. */
  url: pulumi.Input<string>;
  /** Bearer token. A secret. */
  token: pulumi.Input<string>;
}

/** Connections to the database's REST layer, and to that of staging. Keys are stored as secrets. */
export interface RestLayers {
  restUrl: string;
  serviceRoleKey: string;
  /** Value of the header `apikey`. Default: the service-role key. */
  restApiKey?: string | undefined;
  /** REST layer of staging. Default: the other environments' one. */
  stagingRestUrl?: string | undefined;
  stagingServiceRoleKey?: string | undefined;
  stagingRestApiKey?: string | undefined;
}

interface DispatchWorkerArgs {
  site: Site;
  url: string;
  bundle: WorkerBundle;
  rest: RestLayers;
  settings: PlatformSettings;
  /** Base URL of Cloudflare's API, without a trailing slash. */
  apiUrl: string;
  aiGatewayRead: string;
  accessIssuer: string;
  /** Audience of root users' tokens, accepted for every tenant. */
  platformAudience: pulumi.Input<string>;
  /** Installs the database functions that the Worker calls. */
  migrations: pulumi.Resource;
  rotations: Rotations;
  /** Whether the doors' host is declared outside production. Default: true. */
  doorsHost?: boolean | undefined;
  /** Password from which the key of doors' secrets is derived. */
  doorsKey: Rotating<pulumi.Output<string>>;
  /** Whether the engine refuses to delete namespace and route. Default: false. */
  protect?: boolean;
}

/**
 * The Worker on `*.{domain}` (`*-dev.{domain}` in development), with its dispatch namespace, tenant index, fan-out queue, token for
 * the AI gateways' logs, route, DNS record and cron trigger.
 * @example
 * ```ts
 * const dispatch = new DispatchWorker("dispatch", { site, url, bundle, rest, settings, accessIssuer, platformAudience, migrations, ...api });
 * ```
 */
export class DispatchWorker extends pulumi.ComponentResource {
  readonly dispatchNamespace: pulumi.Output<string>;
  /** Bearer token of `GET /_invalidate/:slug` and `POST /_backup/:slug`. A secret. */
  readonly invalidateToken: pulumi.Output<string>;
  /** Resources with this input are created after the Worker serves requests, and deleted before it. */
  readonly access: DispatchAccess;

  constructor(name: string, args: DispatchWorkerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:DispatchWorker", name, {}, opts);
    const { site, bundle, rest, rotations, protect = false } = args;
    const { environment, accountId, zoneId, domain } = site;
    const names = platformNames(environment);
    const child = { parent: this };

    const namespace = new WorkersForPlatformsDispatchNamespace(
      "tenants",
      { accountId, name: names.dispatchNamespace },
      { ...child, protect },
    );
    const index = new WorkersKvNamespace("tenant-index", { accountId, title: names.tenantIndex }, child);
    const queue = new Queue("fanout", { accountId, queueName: names.fanoutQueue }, child);
    const token = rotatingPassword(
      "invalidate-token",
      { rotation: rotations.invalidateToken, length: TOKEN_LENGTH },
      child,
    );
    const { used: logsToken } = declareRotating("ai-gateway-logs", rotations.apiTokens, (name, version) => {
      const displayName = slotName(names.aiGatewayLogsToken, version);
      return accountToken(name, { accountId, displayName, permission: args.aiGatewayRead }, child);
    });

    const bindings: BindingsOf<DispatchBindings> = {
      DISPATCHER: { type: "dispatch_namespace", namespace: namespace.namespaceName },
      TENANT_INDEX: { type: "kv_namespace", namespaceId: index.id },
      FANOUT: { type: "queue", queueName: queue.queueName },
      PLATFORM_DOMAIN: plainText(domain),
      ENVIRONMENT: plainText(environment),
      ACCESS_ISSUER: plainText(args.accessIssuer),
      PLATFORM_AUDIENCE: plainText(args.platformAudience),
      SUPABASE_URL: secretText(rest.restUrl),
      SUPABASE_SERVICE_ROLE_KEY: secretText(rest.serviceRoleKey),
      INVALIDATE_TOKEN: secretText(token.used),
      OTHER_INVALIDATE_TOKEN: token.other && secretText(token.other),
      ...doorsKeyBindings(args.doorsKey),
      CF_ACCOUNT_ID: plainText(accountId),
      CLOUDFLARE_API_URL: plainText(args.apiUrl),
      AI_GATEWAY_LOGS_TOKEN: secretText(logsToken.value),
      SUPABASE_API_KEY: convertIfDefined(rest.restApiKey, secretText),
      ...stagingBindings(rest),
      ...settingBindings("dispatch", args.settings),
    };
    const script = new WorkersScript(
      name,
      {
        accountId,
        scriptName: names.dispatchScript,
        ...scriptContent(bundle),
        bindings: listBindings(bindings),
      },
      { ...child, additionalSecretOutputs: ["bindings"], dependsOn: args.migrations },
    );
    new QueueConsumer(
      "fanout",
      {
        accountId,
        queueId: queue.id,
        type: "worker",
        scriptName: script.scriptName,
        settings: { batchSize: FANOUT_BATCH, maxRetries: 1, maxWaitTimeMs: 1000 },
      },
      child,
    );
    new WorkersCronTrigger(
      "every-minute",
      { accountId, scriptName: script.scriptName, schedules: [{ cron: EVERY_MINUTE }] },
      child,
    );
    const wildcard = wildcardHostname(environment, domain);
    const hostname = environment === "production" ? wildcard : dispatchHostname(environment, domain);
    const host = workerHost("wildcard", { zoneId, hostname }, child);
    if (environment !== "production" && args.doorsHost !== false) {
      workerHost("hooks", { zoneId, hostname: hooksHostname(environment, domain) }, child);
    }
    // The most specific matching route takes precedence, so production does not serve other environments' hosts.
    const route = new WorkersRoute(
      "wildcard",
      { zoneId, pattern: `${wildcard}/*`, script: script.scriptName },
      { ...child, protect },
    );

    this.dispatchNamespace = namespace.namespaceName;
    this.invalidateToken = token.used;
    this.access = {
      url: pulumi.all([script.id, host.id, route.id]).apply(() => args.url),
      token: this.invalidateToken,
    };
    this.registerOutputs({ dispatchNamespace: this.dispatchNamespace });
  }
}

function stagingBindings({ stagingRestUrl, stagingServiceRoleKey, stagingRestApiKey }: RestLayers) {
  if (stagingRestUrl === undefined || stagingServiceRoleKey === undefined) return {};
  return {
    STAGING_SUPABASE_URL: secretText(stagingRestUrl),
    STAGING_SUPABASE_SERVICE_ROLE_KEY: secretText(stagingServiceRoleKey),
    STAGING_SUPABASE_API_KEY: convertIfDefined(stagingRestApiKey, secretText),
  } satisfies Partial<BindingsOf<DispatchBindings>>;
}
