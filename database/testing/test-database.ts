/** A database of its own for a test file: a real Postgres in a temporary directory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Environment } from "#domain/environment.ts";
import { removeDatabase, startDatabase } from "#local/database/database.ts";
import { layCluster, layMade } from "#tests/testing/made-cluster.ts";
import { roleStatements, SCHEMAS, schemaGrantStatements } from "../callers/grants.ts";
import { type CallerKind, databaseRoles } from "../callers/roles.ts";
import { databaseAddress, databaseUrl } from "../connection/address.ts";
import { upgradeSchema } from "../schema/upgrade.ts";
import type { DB } from "../types.ts";
import { installQueue } from "../work/queue.ts";
import { queueSchema } from "../work/queue-schema.ts";

const PASSWORD = "of-a-test";

export interface TestDatabase {
  /** URL of the database as superuser. */
  url: string;
  pool: pg.Pool;
  db: Kysely<DB>;
  /** URL of a role that logs in. */
  urlOf(kind: CallerKind, environment?: Environment): string;
  /** Ends the server for a while; connections are closed. */
  halt(): Promise<void>;
  /** Starts it again, at the same address. */
  goOn(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a database with the schemas made and, unless told otherwise, every migration applied.
 *
 * @param options.environments whose roles and queue are there; default: production's. None in a database that is not migrated.
 */
export async function startTestDatabase(
  options: { migrated?: boolean; environments?: readonly Environment[] } = {},
): Promise<TestDatabase> {
  const { migrated = true, environments = ["production"] } = options;
  const parent = await mkdtemp(join(tmpdir(), "tenantry-test-"));
  const directory = join(parent, "database");
  const kind = migrated ? ["migrated", ...environments].join("-") : "schemas";
  await layMade(directory, kind, (into) => makeDatabase(into, migrated ? environments : undefined));
  const start = () => startDatabase({ directory, log: () => undefined });
  let server = await start();
  const { url } = server;
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Connections that are idle or closing when the server stops end with an error nobody waits for.
  pool.on("error", () => {});
  const stop = async () => {
    await pool.end();
    await server.stop();
    await removeDatabase(directory);
    await rm(parent, { recursive: true });
  };
  const urlOf = (kind: CallerKind, environment: Environment = "production") =>
    databaseUrl({ ...databaseAddress(url), user: databaseRoles(environment)[kind], password: PASSWORD });
  const halt = () => server.stop();
  const goOn = async () => {
    server = await start();
    if (server.url !== url) throw new Error("The port was taken meanwhile.");
  };
  return { url, pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), urlOf, halt, goOn, stop };
}

/** Makes a database in a directory, and stops it. @param environments undefined for one without migrations */
async function makeDatabase(directory: string, environments: readonly Environment[] | undefined): Promise<void> {
  await layCluster(directory);
  const database = await startDatabase({ directory, log: () => undefined });
  const owner = new pg.Client(database.url);
  // It is closing when the server stops.
  owner.on("error", () => undefined);
  try {
    await owner.connect();
    await owner.query(SCHEMAS.map((schema) => `create schema ${schema}`).join(";"));
    if (environments === undefined) return;
    // Deriving a key of a password is most of what a login costs, and these are no secrets.
    await owner.query("set scram_iterations = 1");
    for (const environment of environments) await owner.query(roleStatements(environment, PASSWORD));
    await upgradeSchema(database.url);
    for (const environment of environments) {
      await owner.query(schemaGrantStatements(environment));
      const role = databaseRoles(environment).service;
      await installQueue(database.url, { schema: queueSchema(environment), role });
    }
  } finally {
    await owner.end();
    await database.stop();
  }
}
