import * as pulumi from "@pulumi/pulumi";
import { type ClientFields, clientColumns } from "#domain/settings/client.ts";
import type { ClientState } from "#domain/tenants/instance-state.ts";
import type { DoorOutputs } from "./door.ts";
import { Instance } from "./instance.ts";
import type { TenantArgs } from "./platform-context.ts";
import { DatabaseRecord } from "./resources/database-record.ts";
import { RemovalCheck } from "./resources/removal-check.ts";

export interface ClientArgs extends TenantArgs {
  displayName: string;
  status: ClientState;
  /** Other columns of the row. Default: unchanged. */
  fields?: ClientFields;
  /** Id of the client's partner. Default: none, an internal client. */
  partnerId?: pulumi.Input<string> | undefined;
  /** Id of an existing row that the stack will adopt, known at preview. Default: unknown. */
  knownRow?: string | undefined;
  /** Id of the row that the dashboard wrote, which the stack leaves unchanged. Default: the stack declares the row. */
  dashboardRow?: string | undefined;
}

/**
 * A customer and its one instance.
 * @example
 * ```ts
 * new Client("acme", { context, slug: "acme", displayName: "Acme", plan: "pro", status: "active", gateway });
 * ```
 */
export class Client extends pulumi.ComponentResource {
  readonly clientId: pulumi.Output<string>;
  readonly hostname: pulumi.Output<string>;
  /** Addresses and generated secrets of the doors by name. Secrets. */
  readonly doors: Readonly<Record<string, pulumi.Output<DoorOutputs>>>;
  /** Deleted before all other resources of the client. */
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
        ...args,
        clientId: this.clientId,
        client: record,
        managedBy: record === undefined ? "dashboard" : "git",
      },
      { parent: this },
    );
    // If other rows still refer to the client, the deletion fails here, while the tenant still runs.
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
    this.doors = instance.doors;
    this.registerOutputs({ clientId: this.clientId, hostname: this.hostname });
  }
}

/** Even a known id depends on the row, so that dependents are created after it. */
const rowIdOf = ({ recordId, urn }: DatabaseRecord, known: string | undefined): pulumi.Output<string> =>
  known === undefined ? recordId : urn.apply(() => known);
