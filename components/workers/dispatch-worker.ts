import { Queue } from "@pulumi/cloudflare/queue.js";
import { QueueConsumer } from "@pulumi/cloudflare/queueConsumer.js";
import { WorkersCronTrigger } from "@pulumi/cloudflare/workersCronTrigger.js";
import { WorkersForPlatformsDispatchNamespace } from "@pulumi/cloudflare/workersForPlatformsDispatchNamespace.js";
import { WorkersKvNamespace } from "@pulumi/cloudflare/workersKvNamespace.js";
import { WorkersRoute } from "@pulumi/cloudflare/workersRoute.js";
import { WorkersScript } from "@pulumi/cloudflare/workersScript.js";
import * as pulumi from "@pulumi/pulumi";
import { platformNames } from "#domain/names/deployed-names.ts";
import { dispatchHostname, wildcardHostname } from "#domain/names/hostnames.ts";
import { type Rotations, slotName } from "#domain/rotation.ts";
import type { PlatformSettings } from "#domain/settings/platform.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { DispatchBindings } from "#workers/contracts/bindings.ts";
import { accountToken } from "../account-token.ts";
import { rotating, rotatingPassword } from "../rotating.ts";
import type { Site } from "../site.ts";
import { type BindingsOf, listed, optional, plainText, secretText, settingBindings } from "./bindings.ts";
import { scriptContent } from "./script-content.ts";
import { workerHost } from "./worker-host.ts";

const TOKEN_LENGTH = 48;
/** Messages a batch; each names up to 20 tenants, so a batch stays far below the subrequests of one invocation. */
const FANOUT_BATCH = 20;
const EVERY_MINUTE = "* * * * *";

/** The way to a platform's dispatch Worker, for calls of the platform's own. */
export interface DispatchAccess {
  /** Base of its addresses, without a slash at its end. */
  url: pulumi.Input<string>;
  /** Bearer token. A secret. */
  token: pulumi.Input<string>;
}

/** The ways to the database's REST layer, and to staging's where it has its own. */
export interface RestLayers {
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
}

export interface DispatchWorkerArgs {
  /** The Worker answers all hosts of the domain that are its environment's. */
  site: Site;
  /** Base at which it is reached for calls of the platform's own. */
  url: string;
  bundle: WorkerBundle;
  rest: RestLayers;
  /** The platform's settings, some of which are its variables. */
  settings: PlatformSettings;
  /** Base of Cloudflare's API, without a slash at its end. */
  apiUrl: string;
  /** Permission group of tokens that read AI gateways and their logs. */
  aiGatewayRead: string;
  /** Issuer of Access tokens. */
  accessIssuer: string;
  /** Audience that root users may hold instead of a tenant's. */
  platformAudience: pulumi.Input<string>;
  /** What has the database's functions be those that the Worker knows. */
  migrations: pulumi.Resource;
  /** How far the rotation of each secret is. */
  rotations: Rotations;
  /** Whether the engine refuses to delete namespace and route. Default: false. */
  protect?: boolean;
}

/**
 * The Worker on `*.{domain}` (`*-dev.{domain}` in development) and what it needs: dispatch namespace, tenant index, fan-out queue, a
 * token for the AI gateways' logs, route, DNS record and the trigger of each minute (spec: "Dispatch worker bindings").
 *
 * @example
 * ```ts
 * const dispatch = new DispatchWorker("dispatch", { site, url, bundle, rest, settings, accessIssuer, platformAudience, migrations, ...api });
 * ```
 */
export class DispatchWorker extends pulumi.ComponentResource {
  /** Namespace that tenants' scripts are deployed to. */
  readonly dispatchNamespace: pulumi.Output<string>;
  /** Bearer token of `GET /_invalidate/:slug` and `POST /_backup/:slug`. A secret. */
  readonly invalidateToken: pulumi.Output<string>;
  /** What is given this is made after the Worker takes calls, and deleted before it goes. */
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
    const { used: logsToken } = rotating("ai-gateway-logs", rotations.apiTokens, (name, version) => {
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
      CF_ACCOUNT_ID: plainText(accountId),
      CLOUDFLARE_API_URL: plainText(args.apiUrl),
      AI_GATEWAY_LOGS_TOKEN: secretText(logsToken.value),
      SUPABASE_API_KEY: optional(rest.restApiKey, secretText),
      ...stagingBindings(rest),
      ...settingBindings("dispatch", args.settings),
    };
    const script = new WorkersScript(
      name,
      {
        accountId,
        scriptName: names.dispatchScript,
        ...scriptContent(bundle),
        bindings: listed(bindings),
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
    // Of several routes that match, the most specific counts: another environment's hosts are not production's.
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

/** Of staging's own REST layer, which has an address and a key or is none. */
function stagingBindings({ stagingRestUrl, stagingServiceRoleKey, stagingRestApiKey }: RestLayers) {
  if (stagingRestUrl === undefined || stagingServiceRoleKey === undefined) return {};
  return {
    STAGING_SUPABASE_URL: secretText(stagingRestUrl),
    STAGING_SUPABASE_SERVICE_ROLE_KEY: secretText(stagingServiceRoleKey),
    STAGING_SUPABASE_API_KEY: optional(stagingRestApiKey, secretText),
  } satisfies Partial<BindingsOf<DispatchBindings>>;
}
