/** Queries before a run's migrations, whose tables, columns and functions may be missing. */
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "./types.ts";

/** PostgreSQL: undefined_function. */
const UNDEFINED_FUNCTION = "42883";

/** Returns the rows of a statement that calls a function; none if the function does not exist. */
export async function rowsIfKnown<T>(db: Kysely<DB>, statement: RawBuilder<T>): Promise<T[]> {
  try {
    return (await statement.execute(db)).rows;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_FUNCTION) return [];
    throw error;
  }
}

/** PostgreSQL: undefined_table, insufficient_privilege. */
const NOT_MIGRATED = new Set(["42P01", "42501"]);

/** Returns the result of a query; undefined before the migration that adds its table. */
export async function ifMigrated<T>(query: Promise<T>): Promise<T | undefined> {
  try {
    return await query;
  } catch (error) {
    if (NOT_MIGRATED.has((error as { code?: string }).code ?? "")) return undefined;
    throw error;
  }
}

/** Selects the owner of a row of `table`, a URN; null for none, and before owners were stored. */
export const ownerOf = (table: string) => sql<string | null>`to_jsonb(${sql.ref(table)}) ->> 'owner'`.as("owner");

/** Selects the manager of a client; before managers were stored, all were Git's. */
export const managerOf = (table: string) =>
  sql<string>`coalesce(to_jsonb(${sql.ref(table)}) ->> 'managed_by', 'git')`.as("managed_by");

/** Matches rows of an environment; before environments were stored, a database had only one. */
export function ofEnvironment(table: string, environment: Environment): Expression<SqlBool> {
  return sql<SqlBool>`coalesce(to_jsonb(${sql.ref(table)}) ->> 'environment', ${environment}) = ${environment}`;
}
