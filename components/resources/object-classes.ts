import * as pulumi from "@pulumi/pulumi";

export interface ObjectClassesArgs {
  accountId: pulumi.Input<string>;
  /** The script, uploaded after the classes exist. */
  scriptName: pulumi.Input<string>;
  /** Tag of the migration that creates the classes. */
  tag: pulumi.Input<string>;
  /** Classes whose objects have a SQLite database each. */
  sqliteClasses: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Creates the Durable Object classes of a script once, before its upload. The vendor's `WorkersScript` would create them with each
 * upload, which the API rejects. They are deleted with the script. Import id: `{accountId}/{scriptName}`.
 * @example
 * ```ts
 * const classes = new ObjectClasses("dashboard", { accountId, scriptName, tag: "v1", sqliteClasses: ["Live"] }, { provider: tenantry });
 * ```
 */
export class ObjectClasses extends pulumi.CustomResource {
  constructor(name: string, args: ObjectClassesArgs, opts?: pulumi.CustomResourceOptions) {
    super("tenantry:index:ObjectClasses", name, { ...args }, opts);
  }
}
