import type { PostgresPool } from "kysely";
import { Kysely, PostgresDialect } from "kysely";
import type { DB } from "../types.ts";

/** Typed queries over a pool, or over what takes connections like one. */
export function openKysely(pool: PostgresPool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
