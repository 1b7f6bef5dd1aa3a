import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { HEALTH_PATH } from "#domain/access/access-addresses.ts";
import type { Manager } from "#domain/entities/entity.ts";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { ofTwo } from "#domain/rotation.ts";
import { AccessApplication } from "./access/access-application.ts";
import { accountToken } from "./account-token.ts";
import { AiGateway } from "./ai-gateways/ai-gateway.ts";
import { BackupBucket } from "./backup-bucket.ts";
import { Door, type DoorOutputs } from "./door.ts";
import type { TenantArgs } from "./platform-context.ts";
import { DatabaseRecord } from "./resources/database-record.ts";
import { declareRotating } from "./rotating.ts";
import { TenantWorker } from "./workers/tenant-worker.ts";
import { workerHost } from "./workers/worker-host.ts";

const TOKEN_LENGTH = 48;

export interface InstanceArgs extends TenantArgs {
  clientId: pulumi.Input<string>;
  /**
   * The client's row, undefined if the dashboard wrote it. All resources in the account depend on it, because the database refuses
   * the row of another stack's tenant, and of one beyond the account's limits.
   */
  client: pulumi.Resource | undefined;
  managedBy: Manager;
}

/**
 * A client's gateway: bucket, Access application, AI gateway binding, row and Worker. The Worker depends on the row, because
 * the database must grant the gateway's slot first.
 * @example
 * ```ts
 * new Instance("acme", { context, slug: "acme", plan: "pro", clientId, client, gateway });
 * ```
 */
export class Instance extends pulumi.ComponentResource {
  readonly hostname: pulumi.Output<string>;
  readonly instanceId: pulumi.Output<string>;
  /** Addresses and generated secrets of the doors by name. Secrets. */
  readonly doors: Readonly<Record<string, pulumi.Output<DoorOutputs>>>;

  constructor(name: string, args: InstanceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Instance", name, {}, opts);
    const { context, slug, clientId, gateway } = args;
    const { environment, outputs: platform, shape } = context;
    const { accountId } = platform;
    const names = tenantNames(slug, environment);
    const child = { parent: this };
    const after = args.client === undefined ? [] : [args.client];
    this.hostname = platform.domain.apply((domain) => tenantHostname(slug, environment, domain));

    const backups = new BackupBucket(
      name,
      {
        accountId,
        bucketName: names.backupBucket,
        retentionDays: platform.backupRetentionDays,
        keepOnDestroy: environment === "production",
        adopt: args.adoptBucket,
        after,
        credentials: shape.bucketCredentials
          ? {
              tokenNames: [names.backupToken, names.secondBackupToken],
              rotation: context.tokenRotation,
              objectWritePermission: platform.permissions.bucketObjectWrite,
            }
          : undefined,
      },
      child,
    );
    if (environment !== "production") {
      workerHost(name, { zoneId: platform.zoneId, hostname: this.hostname }, { ...child, dependsOn: after });
    }
    // In staging one application of the platform protects the hosts of all tenants.
    const audience =
      environment === "staging"
        ? platform.audience
        : new AccessApplication(
            name,
            {
              accountId,
              displayName: names.accessApplication,
              hostname: this.hostname,
              groups: [platform.rootGroupId],
              after,
              services: shape.serviceTokens,
              open:
                shape.healthApplication === "tenant"
                  ? { paths: [HEALTH_PATH], policyId: platform.publicPolicyId }
                  : undefined,
            },
            child,
          ).audience;
    const aiGatewayId =
      gateway.kind === "dedicated"
        ? new AiGateway(
            gateway.gatewayId,
            { accountId, gatewayId: gateway.gatewayId, pii: platform.pii, spendLimits: platform.aiSpendLimits, after },
            child,
          ).gatewayId
        : gateway.gatewayId;
    const tokenNames = [names.aiGatewayToken, names.secondAiGatewayToken] as const;
    const { used: aiGatewayToken } = declareRotating(`${name}-ai-gateway`, context.tokenRotation, (slot, version) => {
      const displayName = ofTwo(version, tokenNames);
      const permission = platform.permissions.aiGatewayRun;
      return accountToken(slot, { accountId, displayName, permission }, { ...child, dependsOn: after });
    });
    const password = (purpose: string, versions: Readonly<Record<string, number>> = {}) => {
      // The first version has no keepers, as in earlier releases.
      const later = Object.entries(versions).filter(([, version]) => version > 1);
      const keepers = Object.fromEntries(later.map(([source, version]) => [source, String(version)]));
      const args = { length: TOKEN_LENGTH, special: false, ...(later.length > 0 && { keepers }) };
      return new random.RandomPassword(`${name}-${purpose}`, args, child).result;
    };
    const { tokenVersion: version = 1 } = args;
    const { gatewayTokens = 1 } = context.secretVersions ?? {};

    const record = new DatabaseRecord(
      `instance-${name}`,
      {
        table: "tenantry.instances",
        key: { client_id: clientId },
        values: {
          environment,
          managed_by: args.managedBy,
          worker_name: tenantScriptName(slug, environment),
          access_aud: audience,
          ai_gateway_id: aiGatewayId,
          ai_gateway_pool_id: gateway.poolId ?? null,
          ...(args.egress !== undefined && { egress: args.egress }),
        },
        initial: { status: "provisioning" },
        together: gateway.together ?? [],
        takeOver: args.takeOver,
      },
      // Until the row exists, a run may adopt the bucket (`stack/fleet/earlier-buckets.ts`).
      { ...child, dependsOn: backups.bucket },
    );
    new TenantWorker(
      name,
      {
        ...args,
        backups,
        hostname: this.hostname,
        accessAudience: audience,
        aiGatewayId,
        aiGatewayToken: aiGatewayToken.value,
        gatewayToken: password("gateway-token", { version, platform: gatewayTokens }),
        cdpSecret: password("cdp-secret"),
      },
      { ...child, dependsOn: record },
    );

    this.instanceId = record.recordId;
    const { doorsProvider: provider } = context;
    const declared = (provider && args.doors) ?? [];
    const common = { context, slug, instanceId: record.recordId, declared: declared.map(({ name }) => name) };
    this.doors = Object.fromEntries(
      declared.flatMap((door) =>
        provider === undefined
          ? []
          : [[door.name, new Door({ ...door, ...common, provider, takeOver: args.takeOver }, child).outputs]],
      ),
    );
    this.registerOutputs({ hostname: this.hostname, instanceId: this.instanceId });
  }
}
