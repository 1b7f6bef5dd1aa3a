import type { Kysely } from "kysely";
import { connectionString } from "#database/connection/connection-string.ts";
import { openKysely } from "#database/connection/kysely.ts";
import { openPool } from "#database/connection/pool.ts";
import type { DB } from "#database/types.ts";

const CONNECT_MS = 10_000;
const QUERY_MS = 60_000;

/**
 * The platform's database with the rights of the automation service. Each query may take a minute.
 *
 * @param url of the service's role
 * @param name by which the server knows the program
 */
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
