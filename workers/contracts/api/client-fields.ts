/** Fields of a client in the API, derived from the table of fields. Names of fields, and names in their objects, are in snake case. */
import * as z from "zod";
import { type ClientFields, type ClientFieldValues, clientFieldEntries } from "#domain/settings/client.ts";

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type ApiValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value as SnakeCase<Name & string>]: Value[Name] }
    : Value;

/** The values of all fields, as the API answers them. */
export type ApiFieldValues = ApiValue<{ [Name in keyof ClientFieldValues]: ApiValue<ClientFieldValues[Name]> }>;
export type ApiFieldName = keyof ApiFieldValues;

type AnswerShape = { [Name in ApiFieldName]: z.ZodType<ApiFieldValues[Name], ApiFieldValues[Name]> };

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const renamed = (object: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));

const renamedValue = (value: unknown, rename: (name: string) => string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? renamed(value, rename) : value;

function apiSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return apiSchema(schema.unwrap() as z.ZodType).nullable();
  return schema instanceof z.ZodObject ? z.strictObject(renamed(schema.shape, snakeCase)) : schema;
}

export const apiFieldEntries = clientFieldEntries.map(
  ([name, entry]) => [snakeCase(name) as ApiFieldName, entry] as const,
);

/** The schemas of all fields in an answer. */
export const fieldAnswers = Object.fromEntries(
  apiFieldEntries.map(([name, { schema }]) => [name, apiSchema(schema)]),
) as AnswerShape;

/** The schemas of all fields in a change, each optional. */
export const fieldChanges = Object.fromEntries(
  Object.entries(fieldAnswers).map(([name, schema]) => [name, schema.optional()]),
) as { [Name in ApiFieldName]: z.ZodOptional<AnswerShape[Name]> };

/** Values of fields in a change. A field that is undefined keeps its value. */
export type ApiFields = { [Name in ApiFieldName]?: ApiFieldValues[Name] | undefined };

/** The fields of a change, from the body of a request. */
export const fieldsOfBody = (body: ApiFields): ClientFields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), renamedValue(value, camelCase)]));

/** The fields of an answer. */
export const bodyOfFields = (fields: ClientFieldValues): ApiFieldValues =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), renamedValue(value, snakeCase)]),
  ) as ApiFieldValues;
