import * as pulumi from "@pulumi/pulumi";
import { type Plan, planLimits, SCRIPT_LIMITS } from "../domain/plan.ts";
import { type Environment, tenantScriptName } from "../domain/slug.ts";
import type { WorkerBundle } from "../workers/bundle.ts";
import type { BackupBucket } from "./backup-bucket.ts";
import type { DispatchAccess } from "./dispatch-worker.ts";
import { tenantNames } from "./naming.ts";
import { ContainerApplication } from "./resources/container-application.ts";
import { NamespacedScript } from "./resources/namespaced-script.ts";

export interface TenantWorkerArgs {
  slug: string;
  plan: Plan;
  environment: Environment;
  accountId: pulumi.Input<string>;
  dispatchNamespace: pulumi.Input<string>;
  /** By which its state is backed up before the container is replaced. Default: it is not. */
  dispatch?: DispatchAccess | undefined;
  bundle: WorkerBundle;
  /** Image of the gateway's container. */
  containerImage: pulumi.Input<string>;
  /** The client's id, which tags the script. */
  clientId: pulumi.Input<string>;
  backups: BackupBucket;
  /** Audience tag of the tenant hostname's Access application. */
  accessAudience: pulumi.Input<string>;
  aiGatewayId: pulumi.Input<string>;
  /** Credential for the AI gateway. A secret. */
  aiGatewayToken: pulumi.Input<string>;
  /** Token that the gateway application demands. A secret. */
  gatewayToken: pulumi.Input<string>;
  /** What the remote browser's protocol endpoint (CDP) demands. A secret. */
  cdpSecret: pulumi.Input<string>;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: boolean | undefined;
}

/** A plain-text binding, left out where the plan sets no number. */
function optionalNumber(name: string, value: number | undefined) {
  return value === undefined ? [] : [{ type: "plain_text" as const, name, text: String(value) }];
}

function bucketCredentials({ credentials }: BackupBucket) {
  if (credentials === undefined) return {};
  return { R2_ACCESS_KEY_ID: credentials.accessKeyId, R2_SECRET_ACCESS_KEY: credentials.secretAccessKey };
}

/**
 * One tenant's Worker in the dispatch namespace and its containers (spec: "Tenant worker bindings provisioned per tenant").
 *
 * @example
 * ```ts
 * new TenantWorker("acme", { slug: "acme", plan: "pro", environment, accountId, dispatchNamespace, bundle, ...rest });
 * ```
 */
export class TenantWorker extends pulumi.ComponentResource {
  readonly scriptName: pulumi.Output<string>;

  constructor(name: string, args: TenantWorkerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:TenantWorker", name, {}, opts);
    const { slug, plan, environment, accountId, bundle, backups } = args;
    const limits = planLimits(plan);
    const names = tenantNames(slug, environment);

    const script = new NamespacedScript(
      name,
      {
        accountId,
        namespace: args.dispatchNamespace,
        scriptName: tenantScriptName(slug, environment),
        mainModule: bundle.mainModule,
        path: bundle.path,
        compatibilityDate: bundle.compatibilityDate,
        compatibilityFlags: bundle.compatibilityFlags,
        bindings: [
          { type: "durable_object_namespace", name: "Sandbox", className: "Sandbox" },
          { type: "durable_object_namespace", name: "SUPERVISOR", className: "Supervisor" },
          { type: "r2_bucket", name: "BACKUP_BUCKET", bucketName: backups.bucketName },
          { type: "analytics_engine", name: "ANALYTICS", dataset: names.analyticsDataset },
          { type: "browser", name: "BROWSER" },
          { type: "plain_text", name: "TENANT_SLUG", text: slug },
          { type: "plain_text", name: "ENVIRONMENT", text: environment },
          { type: "plain_text", name: "CF_ACCOUNT_ID", text: accountId },
          { type: "plain_text", name: "AI_GATEWAY_ID", text: args.aiGatewayId },
          { type: "plain_text", name: "ACCESS_AUD", text: args.accessAudience },
          { type: "plain_text", name: "BACKUP_BUCKET_NAME", text: backups.bucketName },
          { type: "plain_text", name: "BACKUP_RETENTION_DAYS", text: backups.retentionDays.apply(String) },
          ...optionalNumber("BACKUP_STORAGE_BYTES", limits.storageBytes),
          ...optionalNumber("SLEEP_AFTER_SECONDS", limits.sleepAfterSeconds),
        ],
        secrets: {
          GATEWAY_TOKEN: args.gatewayToken,
          CDP_SECRET: args.cdpSecret,
          AI_GATEWAY_API_KEY: args.aiGatewayToken,
          CF_AIG_AUTHORIZATION: args.aiGatewayToken,
          ...bucketCredentials(backups),
        },
        migrations: { newTag: "v1", newSqliteClasses: ["Sandbox", "Supervisor"] },
        containers: [{ className: "Sandbox" }],
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
        className: "Sandbox",
        image: args.containerImage,
        instanceType: limits.container,
        takeOver: args.takeOver,
        backup: args.dispatch && {
          url: pulumi.interpolate`${args.dispatch.url}/_backup/${slug}`,
          token: args.dispatch.token,
          // Elsewhere the bucket goes too, and one that holds backups would stay.
          beforeDelete: environment === "production",
        },
      },
      { parent: this },
    );
    this.scriptName = script.scriptName;
    this.registerOutputs({ scriptName: this.scriptName });
  }
}
