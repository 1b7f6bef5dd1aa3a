import type { Kysely } from "kysely";
import { connectionString } from "#database/connection/connection-string.ts";
import { openKysely } from "#database/connection/kysely.ts";
import { openPool } from "#database/connection/pool.ts";
import type { DB } from "#database/types.ts";

const CONNECT_MS = 10_000;
const QUERY_MS = 60_000;

/** Opens the platform's database with the automation service's role. @param name `application_name` of the connections */
export function openServiceDatabase(url: string, name: string): Kysely<DB> {
  const pool = openPool({
    connectionString: connectionString(url),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    max: 3,
  });
  return openKysely(pool);
}
