/** What every entity's schema consists of, and how rows of the database and bodies of the API derive from a schema. */
import * as z from "zod";

/** ISO 8601, UTC. */
export const instant = z.iso.datetime();

/** Who manages a row: Git, whose stack file declares it, or the dashboard. */
export const managers = ["git", "dashboard"] as const;
export type Manager = (typeof managers)[number];

export const managed = {
  managed_by: z.enum(managers),
  /** Settings file in Git that declares the row, if it is known; null for a row of the dashboard. */
  declared_in: z.string().nullable(),
};

export const timestamps = { created_at: instant, updated_at: instant };

/** How one entity refers to a client or partner. */
export const named = z.object({ id: z.uuid(), slug: z.string(), name: z.string() });

type RowValue<S> = S extends z.ZodISODateTime
  ? Date
  : S extends z.ZodNullable<infer Inner>
    ? RowValue<Inner> | null
    : S extends z.ZodObject
      ? Row<S>
      : z.output<S>;

/** An entity as queries return it: its columns, with times as `Date`. */
export type Row<S extends z.ZodObject> = { [Name in keyof S["shape"]]: RowValue<S["shape"][Name]> };

/** Strict and loose objects are JSON that readers of the row have checked; others consist of columns. */
const isColumns = (schema: z.ZodType): schema is z.ZodObject =>
  schema instanceof z.ZodObject && schema.def.catchall === undefined;

function rowValue(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return rowValue(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodISODateTime) return z.date();
  // PostgreSQL's `bigint` and `count(*)` are text.
  if (schema instanceof z.ZodNumber) return z.coerce.number();
  if (isColumns(schema)) return rowOf(schema);
  return schema instanceof z.ZodObject ? z.unknown() : schema;
}

/** Returns the schema of an entity's row in the database. */
export function rowOf<S extends z.ZodObject>(entity: S): z.ZodType<Row<S>> {
  const shape = Object.entries(entity.shape).map(([name, schema]) => [name, rowValue(schema as z.ZodType)]);
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodType<Row<S>>;
}

function bodyValue(schema: z.ZodType, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (schema instanceof z.ZodNullable) return value === null ? null : bodyValue(schema.unwrap() as z.ZodType, value);
  return isColumns(schema) ? bodyOf(schema, value as Row<typeof schema>) : value;
}

/** Returns the body of an API response: of a row, the fields of the entity, with times as text. */
export const bodyOf = <S extends z.ZodObject>(entity: S, row: Row<NoInfer<S>>): z.output<S> =>
  Object.fromEntries(
    Object.entries(entity.shape).map(([name, schema]) => [name, bodyValue(schema as z.ZodType, row[name])]),
  ) as z.output<S>;
