import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { DB } from "../types.ts";

/** Typed queries over a pool, or over what takes connections like one. */
export function openKysely(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
