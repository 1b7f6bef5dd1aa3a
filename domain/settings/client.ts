/** Types, schemas and conversions derived from the table of a client's fields. Names in the API are in snake case. */
import * as z from "zod";
import { CLIENT_FIELDS, type ColumnTable, type FieldControl, type RowOf } from "./client-fields.ts";

type Table = typeof CLIENT_FIELDS;

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

const eachField = (partOf: (entry: ClientField) => unknown) =>
  Object.fromEntries(clientFieldEntries.map(([name, entry]) => [name, partOf(entry)]));

/** The fields' schemas, each optional. */
export const clientFieldShape = eachField(({ schema }) => schema.optional()) as {
  -readonly [Name in keyof Table]: z.ZodOptional<Table[Name]["schema"]>;
};

export const clientFieldColumns = clientFieldEntries.flatMap(([, { columns }]) =>
  Object.keys(columns),
) as UnionOfColumns[];

/** Returns the fields of a client's row. */
export const readClientFields = (row: ClientFieldRow): ClientFieldValues =>
  eachField(({ read }) => read(row)) as ClientFieldValues;

/** Returns the columns of the fields that have a value. */
export function clientColumns(fields: ClientFields): Partial<ClientFieldRow> {
  return Object.fromEntries(
    clientFieldEntries.flatMap(([name, { columns }]) =>
      fields[name] === undefined ? [] : Object.entries(columns).map(([column, write]) => [column, write(fields[name])]),
    ),
  );
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type ApiValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value as SnakeCase<Name & string>]: Value[Name] }
    : Value;

/** Values of all fields in the API. */
export type ApiFieldValues = ApiValue<{ [Name in keyof ClientFieldValues]: ApiValue<ClientFieldValues[Name]> }>;
export type ApiFieldName = keyof ApiFieldValues;

type BodyShape = { [Name in ApiFieldName]: z.ZodType<ApiFieldValues[Name], ApiFieldValues[Name]> };

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const renameKeys = (object: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));

const renamedValue = (value: unknown, rename: (name: string) => string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? renameKeys(value, rename) : value;

function apiSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return apiSchema(schema.unwrap() as z.ZodType).nullable();
  return schema instanceof z.ZodObject ? z.strictObject(renameKeys(schema.shape, snakeCase)) : schema;
}

export const apiFieldEntries = clientFieldEntries.map(
  ([name, entry]) => [snakeCase(name) as ApiFieldName, entry] as const,
);

/** Schemas of all fields in a response. */
export const fieldBodies = Object.fromEntries(
  apiFieldEntries.map(([name, { schema }]) => [name, apiSchema(schema)]),
) as BodyShape;

/** Schemas of all fields in a request, each optional. */
export const fieldChanges = Object.fromEntries(
  Object.entries(fieldBodies).map(([name, schema]) => [name, schema.optional()]),
) as { [Name in ApiFieldName]: z.ZodOptional<BodyShape[Name]> };

/** Fields in a request. A field that is undefined keeps its value. */
export type ApiFields = { [Name in ApiFieldName]?: ApiFieldValues[Name] | undefined };

/** Returns the fields of a request. */
export const fieldsOfBody = (body: ApiFields): ClientFields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), renamedValue(value, camelCase)]));

/** Returns the fields of a response. */
export const bodyOfFields = (fields: ClientFieldValues): ApiFieldValues =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), renamedValue(value, snakeCase)]),
  ) as ApiFieldValues;
