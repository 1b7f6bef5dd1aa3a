/** What a run asks of a database whose migrations it is still to run: what they bring may be missing. */
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "./types.ts";

/** PostgreSQL: undefined_function. */
const UNDEFINED_FUNCTION = "42883";

/** The rows of a statement that calls a function; none where the database does not have it yet. */
export async function rowsIfKnown<T>(db: Kysely<DB>, statement: RawBuilder<T>): Promise<T[]> {
  try {
    return (await statement.execute(db)).rows;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_FUNCTION) return [];
    throw error;
  }
}

/** The stack that has a row of `table`, as a URN; null for nobody's, and before rows told theirs. */
export const ownerOf = (table: string) => sql<string | null>`to_jsonb(${sql.ref(table)}) ->> 'owner'`.as("owner");

/** Who says what a client is; before rows told it, Git did. */
export const managerOf = (table: string) =>
  sql<string>`coalesce(to_jsonb(${sql.ref(table)}) ->> 'managed_by', 'git')`.as("managed_by");

/** Whether a row of `table` is the environment's; before rows told theirs, all were one environment's. */
export function ofEnvironment(table: string, environment: Environment): Expression<SqlBool> {
  return sql<SqlBool>`coalesce(to_jsonb(${sql.ref(table)}) ->> 'environment', ${environment}) = ${environment}`;
}
