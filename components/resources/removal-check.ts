import * as pulumi from "@pulumi/pulumi";

type Rows = pulumi.Input<pulumi.Input<{ table: string; key: pulumi.Input<Record<string, pulumi.Input<string>>> }>[]>;

export interface RemovalCheckArgs {
  /** Name in messages. A change replaces the check. */
  name: pulumi.Input<string>;
  /** Rows that are deleted too, in an order in which they can be deleted. Default: none. */
  records?: Rows;
  /** Tables in which other stacks must not have rows with these columns. Default: none. */
  sole?: Rows;
}

/**
 * Refuses to be deleted while the database would refuse to delete the rows, or other stacks have rows that depend on them. The
 * engine deletes its dependencies after it, and therefore keeps them too.
 * @example
 * ```ts
 * new RemovalCheck("acme", { name: "acme", records: [{ table: "tenantry.clients", key: { slug: "acme" } }] },
 *   { provider: tenantry, dependsOn: everythingOfAcme });
 * ```
 */
export class RemovalCheck extends pulumi.CustomResource {
  constructor(name: string, args: RemovalCheckArgs, opts?: pulumi.CustomResourceOptions) {
    super("tenantry:index:RemovalCheck", name, { ...args }, opts);
  }
}
