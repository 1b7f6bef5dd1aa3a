/** Runs statements in the edge's database as superuser. */
import pg from "pg";
import type { Edge } from "#local/edge.ts";

/** Milliseconds until an unused connection closes. Tests poll more often. */
const IDLE_MS = 1_000;

const pools = new Map<string, pg.Pool>();

function poolOf(connectionString: string): pg.Pool {
  const known = pools.get(connectionString);
  if (known !== undefined) return known;
  const pool = new pg.Pool({ connectionString, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
  // The server may end before an idle connection.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  pools.set(connectionString, pool);
  return pool;
}

/** Runs one statement with `values`, or several without. @returns the rows of the only one */
export async function sql(edge: Pick<Edge, "databaseUrl">, text: string, values: unknown[] = []): Promise<unknown[]> {
  return (await poolOf(edge.databaseUrl).query(text, values.length === 0 ? undefined : values)).rows;
}
