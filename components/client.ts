import * as pulumi from "@pulumi/pulumi";
import type { ClientState } from "../domain/instance-state.ts";
import type { Plan } from "../domain/plan.ts";
import { type GatewayBinding, Instance } from "./instance.ts";
import type { PlatformContext } from "./platform-context.ts";
import { DatabaseRecord } from "./resources/database-record.ts";
import { RemovalCheck } from "./resources/removal-check.ts";

export interface ClientArgs {
  context: PlatformContext;
  slug: string;
  /** Name shown to people. */
  displayName: string;
  plan: Plan;
  /** Whether it takes traffic. */
  status: ClientState;
  /** Id of the partner it belongs to. Default: none, an internal client. */
  partnerId?: pulumi.Input<string> | undefined;
  gateway: GatewayBinding;
  /** Import id of the backup bucket, where an earlier tenant's is adopted. Default: one is made. */
  adoptBucket?: string | undefined;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: boolean;
}

/**
 * A customer and its one instance.
 *
 * @example
 * ```ts
 * new Client("acme", { context, slug: "acme", displayName: "Acme", plan: "pro", status: "active", gateway });
 * ```
 */
export class Client extends pulumi.ComponentResource {
  readonly clientId: pulumi.Output<string>;
  readonly hostname: pulumi.Output<string>;
  /** Deleted before anything else of it. */
  readonly removal: RemovalCheck;

  constructor(name: string, args: ClientArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Client", name, {}, opts);
    const { context, slug, displayName, plan, status } = args;
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
        context,
        slug,
        plan,
        clientId: record.recordId,
        client: record,
        adoptBucket: args.adoptBucket,
        gateway: args.gateway,
        takeOver: args.takeOver,
      },
      { parent: this },
    );
    // Deleted before anything of the tenant: a client that other rows still refer to is to be refused while it still runs.
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
