import * as pulumi from "@pulumi/pulumi";

/** Value of a column: a scalar, null, or an object or list for a `json`, `jsonb` or array column. */
export type ColumnValue = string | number | boolean | null | { [key: string]: unknown } | unknown[];

export interface TogetherRow {
  key: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
  values: pulumi.Input<Record<string, pulumi.Input<ColumnValue>>>;
}

export interface DatabaseRecordArgs {
  /** Table with its schema, such as `tenantry.clients`; a change replaces the record. */
  table: pulumi.Input<string>;
  /** Columns that identify the row; an existing row of this stack, or of none, is adopted. A change replaces the record. */
  key: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>>>;
  /** Columns that the stack owns: written on every change, and restored after drift. Default: none. */
  values?: pulumi.Input<Record<string, pulumi.Input<ColumnValue>>>;
  /** Columns that are written only when the row is inserted. Default: none. */
  initial?: pulumi.Input<Record<string, pulumi.Input<ColumnValue>>>;
  /**
   * Rows of the same table, each also a record of its own, that are written in the same transaction because the database would
   * refuse them one by one. Deferrable constraints are checked at the end. Default: none.
   */
  together?: pulumi.Input<TogetherRow>[];
  /** Whether another stack's row may be taken over. Default: false. */
  takeOver?: pulumi.Input<boolean> | undefined;
}

/**
 * A row of the platform's database. Import id: `{table}/{column}={value}`, further key columns joined by `&`.
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
  /** The row's column `id` as text; empty if the table has none. */
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
