import * as pulumi from "@pulumi/pulumi";
import { schemaHash } from "#database/schema/source.ts";
import { SCHEMA_RELEASE } from "#domain/release.ts";

export interface MigrationsArgs {
  /** Queue to install: its schema, the role of its worker, and the version of graphile-worker. Default: none. */
  queue?: pulumi.Input<{ schema: string; role: pulumi.Input<string>; version: string }>;
}

/**
 * The schema of this release: migrations, routines and rights, applied in one transaction. Deleting the resource keeps schema and
 * data. The schemas and the environment's roles must exist.
 * @example
 * ```ts
 * const migrations = new Migrations("migrations", {}, { provider: owner, dependsOn: [...schemas, ...roles] });
 * ```
 */
export class Migrations extends pulumi.CustomResource {
  declare readonly contentHash: pulumi.Output<string>;
  /** Release of Tenantry that last changed the schema. */
  declare readonly release: pulumi.Output<string>;
  declare readonly version: pulumi.Output<string>;

  constructor(name: string, args: MigrationsArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "tenantry:index:Migrations",
      name,
      { contentHash: schemaHash(), release: SCHEMA_RELEASE, queue: args.queue, version: undefined },
      opts,
    );
  }
}
