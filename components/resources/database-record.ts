import * as pulumi from "@pulumi/pulumi";

/** What a column can be given: a scalar, null, or an object or list for a `json`, `jsonb` or array column. */
export type ColumnValue = string | number | boolean | null | { [key: string]: unknown } | unknown[];

/** A row that is changed with another. */
export interface TogetherRow {
  key: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
  values: pulumi.Input<Record<string, pulumi.Input<ColumnValue>>>;
}

/** One row and the columns of it that the stack owns. */
export interface DatabaseRecordArgs {
  /** Table with its schema, such as `tenantry.clients`. Another table replaces the record. */
  table: pulumi.Input<string>;
  /** Columns that name the row; a row that has them already is adopted, unless it is another stack's. Other values replace the record. */
  key: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
  /** Columns the stack owns: written on every change, and put back when they drift. Default: none. */
  values?: pulumi.Input<Record<string, pulumi.Input<ColumnValue>>>;
  /** Columns written when the row is inserted and never looked at again. Default: none. */
  initial?: pulumi.Input<Record<string, pulumi.Input<ColumnValue>>>;
  /**
   * Rows of the same table, by key, whose values are written in the same transaction as this one, when the database would refuse
   * them one after another; each is a record of its own besides. Deferrable constraints are checked at the end. Default: none.
   */
  together?: pulumi.Input<TogetherRow>[];
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: pulumi.Input<boolean> | undefined;
}

/**
 * A row of the platform's database. Import id: `{table}/{column}={value}`, further key columns joined by `&`.
 *
 * @example
 * ```ts
 * const acme = new DatabaseRecord("acme", {
 *   table: "tenantry.clients",
 *   key: { slug: "acme" },
 *   values: { name: "Acme", billing_plan: "pro" },
 *   initial: { status: "active" },
 * }, { provider: tenantry });
 * ```
 */
export class DatabaseRecord extends pulumi.CustomResource {
  declare readonly table: pulumi.Output<string>;
  declare readonly key: pulumi.Output<Record<string, string | number | boolean>>;
  declare readonly values: pulumi.Output<Record<string, ColumnValue>>;
  /** The row's column `id` as text; empty when the table has no such column. */
  declare readonly recordId: pulumi.Output<string>;

  constructor(name: string, args: DatabaseRecordArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "tenantry:index:DatabaseRecord",
      name,
      {
        table: args.table,
        key: args.key,
        values: args.values ?? {},
        initial: args.initial ?? {},
        together: args.together ?? [],
        takeOver: args.takeOver ?? false,
        recordId: undefined,
      },
      opts,
    );
  }
}
