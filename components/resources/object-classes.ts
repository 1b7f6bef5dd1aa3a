import * as pulumi from "@pulumi/pulumi";

/** Durable Object classes of a script of the account. */
export interface ObjectClassesArgs {
  accountId: pulumi.Input<string>;
  /** The script, which is uploaded after this. */
  scriptName: pulumi.Input<string>;
  /** Tag of the migration that makes the classes. */
  tag: pulumi.Input<string>;
  /** The classes, each with a SQLite database an object. */
  sqliteClasses: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Makes the Durable Object classes of a script before the script is uploaded, once: the vendor's `WorkersScript` would ask for them again
 * with each upload, which the API refuses. They go with the script. Import id: `{accountId}/{scriptName}`.
 *
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
