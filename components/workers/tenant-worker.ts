import * as pulumi from "@pulumi/pulumi";
import { gatewayTenant } from "#domain/ai-gateways/gateway-tenant.ts";
import { tenantBound } from "#domain/egress/bound.ts";
import { platformNames, tenantNames } from "#domain/names/deployed-names.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { planVariables, SCRIPT_LIMITS } from "#domain/plans/plan.ts";
import { SANDBOX_CLASS, SUPERVISOR_CLASS, type TenantBindings } from "#workers/contracts/bindings.ts";
import type { BackupBucket } from "../backup-bucket.ts";
import type { TenantArgs } from "../platform-context.ts";
import { ContainerApplication } from "../resources/container-application.ts";
import { NamespacedScript } from "../resources/namespaced-script.ts";
import {
  convertIfDefined,
  type OpenBindingsOf,
  omitUndefined,
  plainText,
  type SecretsOf,
  tenantSettingBindings,
} from "./bindings.ts";

interface TenantWorkerArgs
  extends Pick<TenantArgs, "context" | "slug" | "plan" | "earlierClients" | "image" | "takeOver"> {
  clientId: pulumi.Input<string>;
  backups: BackupBucket;
  hostname: pulumi.Input<string>;
  /** Audience tag of the tenant hostname's Access application. */
  accessAudience: pulumi.Input<string>;
  aiGatewayId: pulumi.Input<string>;
  aiGatewayToken: pulumi.Input<string>;
  gatewayToken: pulumi.Input<string>;
  /** Secret of the remote browser's endpoint (CDP). */
  cdpSecret: pulumi.Input<string>;
}

/**
 * One tenant's Worker in the dispatch namespace, and its containers.
 * @example
 * ```ts
 * new TenantWorker("acme", { context, slug: "acme", plan: "pro", clientId, backups, ...credentials });
 * ```
 */
export class TenantWorker extends pulumi.ComponentResource {
  readonly scriptName: pulumi.Output<string>;

  constructor(name: string, args: TenantWorkerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:TenantWorker", name, {}, opts);
    const { context, slug, plan, backups } = args;
    const { environment, outputs: platform, dispatch, bundle, providerKeys } = context;
    const { accountId } = platform;
    const granted = planVariables(plan);
    const names = tenantNames(slug, environment);

    const bindings: OpenBindingsOf<TenantBindings> = {
      Sandbox: { type: "durable_object_namespace", className: SANDBOX_CLASS },
      SUPERVISOR: { type: "durable_object_namespace", className: SUPERVISOR_CLASS },
      BACKUP_BUCKET: { type: "r2_bucket", bucketName: backups.bucketName },
      ANALYTICS: { type: "analytics_engine", dataset: platformNames(environment).analyticsDataset },
      BROWSER: { type: "browser" },
      TENANT_SLUG: plainText(slug),
      ENVIRONMENT: plainText(environment),
      CF_ACCOUNT_ID: plainText(accountId),
      AI_GATEWAY_ID: plainText(args.aiGatewayId),
      AI_GATEWAY_URL: plainText(platform.aiGatewayUrl),
      BILLING_PLAN: plainText(plan),
      AI_GATEWAY_TENANT: convertIfDefined(
        args.earlierClients ? gatewayTenant(slug, args.earlierClients) : undefined,
        plainText,
      ),
      ...tenantSettingBindings(platform),
      EGRESS_BOUND: plainText(
        platform.apply(({ domain, egress }) => JSON.stringify(tenantBound(plan, domain, egress))),
      ),
      TENANT_ORIGIN: plainText(pulumi.all([platform.dispatchUrl, args.hostname]).apply(originOf)),
      ACCESS_AUD: plainText(args.accessAudience),
      BUNDLE_HASH: plainText(bundle.contentHash),
      BACKUP_RETENTION_DAYS: plainText(backups.retentionDays.apply(String)),
      INBOX_MESSAGES: plainText(granted.INBOX_MESSAGES),
      BACKUP_STORAGE_BYTES: convertIfDefined(granted.BACKUP_STORAGE_BYTES, plainText),
      BACKUP_INTERVAL_SECONDS: convertIfDefined(granted.BACKUP_INTERVAL_SECONDS, plainText),
      TICKET_KEY_VERSION: convertIfDefined(context.secretVersions?.ticketKeys?.toString(), plainText),
      SLEEP_AFTER_SECONDS: convertIfDefined(granted.SLEEP_AFTER_SECONDS, plainText),
      SLEEP_WITH_CHANNELS: convertIfDefined(granted.SLEEP_WITH_CHANNELS, plainText),
    };
    const secrets: SecretsOf<TenantBindings> = {
      GATEWAY_TOKEN: args.gatewayToken,
      CDP_SECRET: args.cdpSecret,
      AI_GATEWAY_API_KEY: args.aiGatewayToken,
      CF_AIG_AUTHORIZATION: args.aiGatewayToken,
      PROVIDER_KEYS: providerKeys,
      R2_ACCESS_KEY_ID: backups.credentials?.accessKeyId,
      R2_SECRET_ACCESS_KEY: backups.credentials?.secretAccessKey,
    };
    const script = new NamespacedScript(
      name,
      {
        accountId,
        namespace: platform.dispatchNamespace,
        scriptName: tenantScriptName(slug, environment),
        mainModule: bundle.mainModule,
        path: bundle.path,
        contentHash: bundle.contentHash,
        compatibilityDate: bundle.compatibilityDate,
        compatibilityFlags: bundle.compatibilityFlags,
        bindings: omitUndefined(bindings),
        secrets: omitUndefined(secrets),
        migrations: { newTag: "v1", newSqliteClasses: [SANDBOX_CLASS, SUPERVISOR_CLASS] },
        containers: [{ className: SANDBOX_CLASS }],
        tags: [pulumi.interpolate`customer_id:${args.clientId}`, `plan:${plan}`, `env:${environment}`],
        limits: SCRIPT_LIMITS,
        takeOver: args.takeOver,
      },
      { parent: this },
    );
    new ContainerApplication(
      name,
      {
        accountId,
        name: names.containerApplication,
        dispatchNamespace: script.namespace,
        scriptName: script.scriptName,
        className: SANDBOX_CLASS,
        image: args.image ?? platform.containerImage,
        instanceType: platform.containers[plan],
        takeOver: args.takeOver,
        backup: dispatch && {
          url: pulumi.interpolate`${dispatch.url}/_backup/${slug}`,
          token: dispatch.token,
          // In other environments the bucket is deleted too, which a backup in it would prevent.
          beforeDelete: environment === "production",
        },
      },
      { parent: this },
    );
    this.scriptName = script.scriptName;
    this.registerOutputs({ scriptName: this.scriptName });
  }
}

/** Returns the origin of a tenant's host, with scheme and port of the dispatch Worker. */
function originOf([dispatchUrl, hostname]: [string, string]): string {
  const url = new URL(dispatchUrl);
  url.hostname = hostname;
  return url.origin;
}
