import { UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import { databaseAddress } from "#database/connection/address.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { openPool } from "#database/connection/pool.ts";

const pools = new Map<string, pg.Pool>();

/** How long a connection is waited for, until one is free too; and an answer, which may have to wait for another stack's transaction. */
const CONNECT_MS = 60_000;
const ANSWER_MS = 180_000;
/** The server gives up before: its own words say more. */
const STATEMENT_MS = 120_000;
const KEEP_ALIVE_MS = 10_000;

/** The pool of connections to `url`, one a process. Idle connections close after a second, so nothing has to end it. */
export function poolOf(url: string): pg.Pool {
  const open = pools.get(url);
  if (open !== undefined) return open;
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

/** Runs `task` in a transaction of its own. */
export async function transaction<T>(pool: pg.Pool, task: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  // A server that stops ends connections in use too; the statement under way then fails by itself.
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

/** The database's URL. @throws UserError that says where to put it, or how it reads. */
export function requireUrl(url: string | undefined): string {
  if (!url) {
    throw new UserError(
      "No database URL: set TENANTRY_DATABASE_URL, or `pulumi config set --secret tenantry:databaseUrl`.",
    );
  }
  try {
    databaseAddress(url);
  } catch {
    throw new UserError("The database URL must read postgres://user:password@host:port/database.");
  }
  return url;
}
