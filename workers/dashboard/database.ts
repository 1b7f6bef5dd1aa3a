/** The platform's database over Hyperdrive. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DB } from "../../database/types.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;

/** A connection for one request, since a Worker may not share one between requests; Hyperdrive keeps the pool. */
export function openDatabase(hyperdrive: Hyperdrive): Kysely<DB> {
  const pool = new pg.Pool({
    connectionString: hyperdrive.connectionString,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // Without a listener an idle connection's end would count as uncaught; the next query fails by itself.
  pool.on("error", () => undefined);
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
