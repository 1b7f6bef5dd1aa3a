import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { contentHash } from "../../provider/content/content-hash.ts";

/** Which migrations to bring the database up to. */
export interface MigrationsArgs {
  /** Folder of dbmate migrations (`{version}_{name}.sql`). A relative path counts from the working directory. */
  directory: pulumi.Input<string>;
  /** Hash of the folder's files; a change of it runs what is new. Default: computed from `directory`. */
  contentHash?: pulumi.Input<string>;
  /** Table that remembers what has run, with its schema. Default: `public.schema_migrations`. */
  table?: pulumi.Input<string>;
  /** The service's queue, installed beside it: its schema, the role that works it off, and the version of graphile-worker. Default: none. */
  queue?: pulumi.Input<{ schema: string; role: pulumi.Input<string>; version: string }>;
}

/**
 * The database schema, brought up to date by dbmate. Deleting the resource keeps schema and data.
 *
 * @example
 * ```ts
 * const migrations = new Migrations("migrations", { directory: "database/migrations" }, { provider: tenantry });
 * ```
 */
export class Migrations extends pulumi.CustomResource {
  declare readonly contentHash: pulumi.Output<string>;
  declare readonly table: pulumi.Output<string>;
  /** The latest migration that has run, such as `20261101000005`. */
  declare readonly version: pulumi.Output<string>;

  constructor(name: string, args: MigrationsArgs, opts?: pulumi.CustomResourceOptions) {
    const directory = pulumi.output(args.directory).apply((path) => resolve(path));
    super(
      "tenantry:index:Migrations",
      name,
      {
        directory,
        contentHash: args.contentHash ?? directory.apply(contentHash),
        table: args.table ?? "public.schema_migrations",
        queue: args.queue,
        version: undefined,
      },
      opts,
    );
  }
}
