import * as pulumi from "@pulumi/pulumi";
import type { TenantShape } from "../domain/account-limits.ts";
import type { Environment } from "../domain/slug.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { ClientSettings } from "../stack/settings.ts";
import type { WorkerBundle } from "../workers/bundle.ts";
import type { DispatchAccess } from "./dispatch-worker.ts";
import { type GatewayBinding, Instance } from "./instance.ts";
import { DatabaseRecord } from "./resources/database-record.ts";
import { RemovalCheck } from "./resources/removal-check.ts";

export interface ClientArgs {
  settings: ClientSettings;
  environment: Environment;
  platform: pulumi.Output<PlatformOutputs>;
  shape: TenantShape;
  /** By which its tenant is backed up before the container is replaced. Default: it is not. */
  dispatch?: DispatchAccess | undefined;
  /** Id of the partner it belongs to. Default: none, an internal client. */
  partnerId?: pulumi.Input<string> | undefined;
  gateway: GatewayBinding;
  /** Import id of the backup bucket, where an earlier tenant's is adopted. Default: one is made. */
  adoptBucket?: string | undefined;
  bundle: WorkerBundle;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: boolean;
}

/**
 * A customer and its one instance.
 *
 * @example
 * ```ts
 * new Client("acme", { settings: { slug: "acme", name: "Acme", plan: "pro", … }, environment, platform, shape, gateway, bundle });
 * ```
 */
export class Client extends pulumi.ComponentResource {
  readonly clientId: pulumi.Output<string>;
  readonly hostname: pulumi.Output<string>;
  /** Deleted before anything else of it. */
  readonly removal: RemovalCheck;

  constructor(name: string, args: ClientArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Client", name, {}, opts);
    const { slug, name: displayName, plan, status } = args.settings;
    const record = new DatabaseRecord(
      `client-${name}`,
      {
        table: "tenantry.clients",
        key: { slug },
        values: { name: displayName, billing_plan: plan, status, partner_id: args.partnerId ?? null },
        takeOver: args.takeOver,
      },
      { parent: this },
    );
    const instance = new Instance(
      name,
      {
        slug,
        plan,
        environment: args.environment,
        platform: args.platform,
        shape: args.shape,
        dispatch: args.dispatch,
        clientId: record.recordId,
        client: record,
        adoptBucket: args.adoptBucket,
        gateway: args.gateway,
        bundle: args.bundle,
        takeOver: args.takeOver,
      },
      { parent: this },
    );
    // Deleted before anything of the tenant: a client with invoices is to be refused while it still runs.
    this.removal = new RemovalCheck(
      name,
      {
        name: slug,
        records: [
          { table: "tenantry.instances", key: { client_id: record.recordId } },
          { table: "tenantry.clients", key: { slug } },
        ],
      },
      { parent: this, dependsOn: [record, instance] },
    );
    this.clientId = record.recordId;
    this.hostname = instance.hostname;
    this.registerOutputs({ clientId: this.clientId, hostname: this.hostname });
  }
}
