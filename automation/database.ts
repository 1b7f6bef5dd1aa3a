import type { Kysely } from "kysely";
import type pg from "pg";
import { connectionString } from "#database/connection/connection-string.ts";
import { openKysely } from "#database/connection/kysely.ts";
import { openPool } from "#database/connection/pool.ts";
import type { DB } from "#database/types.ts";

/** Connections for the queue's listener, the schedule, health and metrics. */
const OWN_CONNECTIONS = 6;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

export interface Database {
  pool: pg.Pool;
  db: Kysely<DB>;
  close(): Promise<void>;
}

export function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: connectionString(url),
    application_name: "tenantry-automation",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

export function openDatabase(url: string, concurrency: number): Database {
  const pool = openPool({ ...clientConfig(url), max: concurrency + OWN_CONNECTIONS });
  return { pool, db: openKysely(pool), close: () => pool.end() };
}
