import type { PostgresPool } from "kysely";
import { Kysely, PostgresDialect } from "kysely";
import type { DB } from "../types.ts";

/** Opens typed queries over a pool, or an object that hands out connections like one. */
export function openKysely(pool: PostgresPool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
