/** A database of its own for a test file: a real Postgres in a temporary directory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { removeDatabase, startDatabase } from "../../local/database/database.ts";
import { layCluster } from "../../tests/testing/made-cluster.ts";
import { runMigrations } from "../migrations.ts";
import type { DB } from "../types.ts";

export interface TestDatabase {
  /** URL of the database as superuser. */
  url: string;
  pool: pg.Pool;
  db: Kysely<DB>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** Starts a database with the schemas made and, unless told otherwise, every migration applied. */
export async function startTestDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const parent = await mkdtemp(join(tmpdir(), "tenantry-test-"));
  const directory = join(parent, "database");
  await layCluster(directory);
  const database = await startDatabase({ directory, log: () => undefined });
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  // Connections that are idle or closing when the server stops end with an error nobody waits for.
  pool.on("error", () => {});
  const stop = async () => {
    await pool.end();
    await database.stop();
    await removeDatabase(directory);
    await rm(parent, { recursive: true });
  };
  try {
    await pool.query("create schema tenantry; create schema api");
    if (options.migrated ?? true) await runMigrations(database.url);
  } catch (cause) {
    await stop();
    throw cause;
  }
  return { url: database.url, pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), stop };
}
