import * as pulumi from "@pulumi/pulumi";

type Rows = pulumi.Input<pulumi.Input<{ table: string; key: pulumi.Input<Record<string, pulumi.Input<string>>> }>[]>;

export interface RemovalCheckArgs {
  /** What may be removed or not, as messages call it. Another name replaces the check. */
  name: pulumi.Input<string>;
  /** Rows that go with it, in the order in which they can be deleted. Default: none. */
  records?: Rows;
  /** Rows of which other stacks must have none, by columns that they share. Default: none. */
  sole?: Rows;
}

/**
 * Refuses to be deleted while the database would refuse to delete the rows, or other stacks have rows that hang on it. What it depends on is deleted only after it, and so
 * not at all then.
 *
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
