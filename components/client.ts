import * as pulumi from "@pulumi/pulumi";
import type { Plan } from "#domain/plans/plan.ts";
import { type ClientFields, clientColumns } from "#domain/settings/client.ts";
import type { ClientState } from "#domain/tenants/instance-state.ts";
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
  /** How many clients had the slug before. Default: none. */
  earlierClients?: number | undefined;
  /** Whether it takes traffic. */
  status: ClientState;
  /** Further columns of its row. Default: they are left as they are. */
  fields?: ClientFields;
  /** Id of the partner it belongs to. Default: none, an internal client. */
  partnerId?: pulumi.Input<string> | undefined;
  gateway: GatewayBinding;
  /** Raised by one, the gateway's token is made anew. Default: 1. */
  tokenVersion?: number | undefined;
  /** Image of the gateway's container. Default: the platform's. */
  image?: string | undefined;
  /** Import id of the backup bucket, where an earlier tenant's is adopted. Default: one is made. */
  adoptBucket?: string | undefined;
  /** Id of the client's row where it is there already, so that a preview knows it though the stack is still to have the row. Default: unknown. */
  knownRow?: string | undefined;
  /** Id of the client's row where the dashboard has written it, which is left as it is. Default: the row is declared here. */
  dashboardRow?: string | undefined;
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
    const { context, slug, displayName, plan, status, dashboardRow } = args;
    const declare = () =>
      new DatabaseRecord(
        `client-${name}`,
        {
          table: "tenantry.clients",
          key: { slug },
          values: {
            name: displayName,
            billing_plan: plan,
            status,
            partner_id: args.partnerId ?? null,
            managed_by: "git",
            ...clientColumns(args.fields ?? {}),
          },
          takeOver: args.takeOver,
        },
        { parent: this, ...(context.accountLimits && { dependsOn: context.accountLimits }) },
      );
    const record = dashboardRow === undefined ? declare() : undefined;
    this.clientId = record === undefined ? pulumi.output(dashboardRow ?? "") : rowIdOf(record, args.knownRow);
    const instance = new Instance(
      name,
      {
        context,
        slug,
        plan,
        earlierClients: args.earlierClients,
        clientId: this.clientId,
        client: record,
        managedBy: record === undefined ? "dashboard" : "git",
        adoptBucket: args.adoptBucket,
        gateway: args.gateway,
        tokenVersion: args.tokenVersion,
        image: args.image,
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
          { table: "tenantry.instances", key: { client_id: this.clientId } },
          ...(record === undefined ? [] : [{ table: "tenantry.clients", key: { slug } }]),
        ],
      },
      { parent: this, dependsOn: record === undefined ? [instance] : [record, instance] },
    );
    this.hostname = instance.hostname;
    this.registerOutputs({ clientId: this.clientId, hostname: this.hostname });
  }
}

/** What comes after the row depends on it, whether or not its id was known before. */
const rowIdOf = ({ recordId, urn }: DatabaseRecord, known: string | undefined): pulumi.Output<string> =>
  known === undefined ? recordId : urn.apply(() => known);
