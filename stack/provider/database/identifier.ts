import * as z from "zod";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

export const columnName = z.string().regex(NAME, "must be a plain column name");

/** A table with its schema, such as `tenantry.clients`. */
export const tableName = z
  .string()
  .refine((name) => name.split(".").length === 2 && name.split(".").every((part) => NAME.test(part)), {
    message: "must be a table with its schema, such as 'tenantry.clients'",
  });

export const rowKey = z.record(columnName, z.union([z.string(), z.number(), z.boolean()]));

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedTable(table: string): string {
  return table.split(".").map(quoteIdentifier).join(".");
}
