/** What is derived from the table of a client's fields. */
import type * as z from "zod";
import { CLIENT_FIELDS, type ColumnTable, type FieldControl, type RowOf } from "./client-fields.ts";

type Table = typeof CLIENT_FIELDS;

/** A value for each field. */
export type ClientFieldValues = { readonly [Name in keyof Table]: z.output<Table[Name]["schema"]> };

/** Values of fields. A field that is undefined keeps its value in the database. */
export type ClientFields = { readonly [Name in keyof Table]?: ClientFieldValues[Name] | undefined };

type UnionOfColumns = { [Name in keyof Table]: keyof Table[Name]["columns"] }[keyof Table];
type EachRow = { [Name in keyof Table]: (row: RowOf<Table[Name]["columns"]>) => void }[keyof Table];
/** The columns of all fields. */
export type ClientFieldRow = EachRow extends (row: infer Row) => void ? Row : never;

/** An entry of the table, for code that treats all fields alike. */
export interface ClientField {
  schema: z.ZodType;
  columns: ColumnTable<unknown>;
  read: (row: Readonly<Record<string, unknown>>) => unknown;
  partnerRefusal?: string;
  control: FieldControl;
}

export type ClientFieldName = keyof Table;

/** The entries of the table. The compiler knows each value's type only by its name. */
export const clientFieldEntries = Object.entries(CLIENT_FIELDS) as unknown as readonly (readonly [
  ClientFieldName,
  ClientField,
])[];

/** Makes an object with a property for each field. */
const eachField = (partOf: (entry: ClientField) => unknown) =>
  Object.fromEntries(clientFieldEntries.map(([name, entry]) => [name, partOf(entry)]));

/** The fields' schemas, each optional. */
export const clientFieldShape = eachField(({ schema }) => schema.optional()) as {
  -readonly [Name in keyof Table]: z.ZodOptional<Table[Name]["schema"]>;
};

/** The names of the columns of all fields. */
export const clientFieldColumns = clientFieldEntries.flatMap(([, { columns }]) =>
  Object.keys(columns),
) as UnionOfColumns[];

/** The fields of a client's row. */
export const readClientFields = (row: ClientFieldRow): ClientFieldValues =>
  eachField(({ read }) => read(row)) as ClientFieldValues;

/** The columns of the fields that have a value. */
export function clientColumns(fields: ClientFields): Partial<ClientFieldRow> {
  return Object.fromEntries(
    clientFieldEntries.flatMap(([name, { columns }]) =>
      fields[name] === undefined ? [] : Object.entries(columns).map(([column, write]) => [column, write(fields[name])]),
    ),
  );
}
