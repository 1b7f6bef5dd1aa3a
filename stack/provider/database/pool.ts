import { UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import { databaseAddress } from "#database/connection/address.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { openPool } from "#database/connection/pool.ts";

const pools = new Map<string, pg.Pool>();

/** Timeouts in milliseconds: for a free connection, and for a response, which can wait for another stack's transaction. */
const CONNECT_MS = 60_000;
const ANSWER_MS = 180_000;
/** Below the response timeout, because the server's error says more. */
const STATEMENT_MS = 120_000;
const KEEP_ALIVE_MS = 10_000;

/** Returns the process's pool of connections to `url`. Idle connections close after a second, so the pool needs no end. */
export function poolOf(url: string): pg.Pool {
  const existing = pools.get(url);
  if (existing !== undefined) return existing;
  const pool = openPool({
    connectionString: connectionString(url),
    max: 8,
    idleTimeoutMillis: 1000,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    allowExitOnIdle: true,
  });
  pools.set(url, pool);
  return pool;
}

export async function runTransaction<T>(pool: pg.Pool, task: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  // A stopping server also ends connections in use; the current statement then fails by itself.
  const onError = () => {
    broken = true;
  };
  client.on("error", onError);
  try {
    await client.query("begin");
    const result = await task(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

export function requireUrl(url: string | undefined): string {
  if (!url) {
    throw new UserError(
      "No database URL: set TENANTRY_DATABASE_URL, or `pulumi config set --secret tenantry:databaseUrl`.",
    );
  }
  try {
    databaseAddress(url);
  } catch {
    throw new UserError("The database URL must have the form postgres://user:password@host:port/database.");
  }
  return url;
}
