/** A database of its own for a test file: a real Postgres in a temporary directory. */

import { startDatabase } from "@tenantry/postgres";
import { layCluster, layMade } from "@tenantry/postgres/testing/made-cluster";
import { startTestServer, type TestServer } from "@tenantry/postgres/testing/test-server";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Environment } from "#domain/environment.ts";
import { roleStatements, SCHEMAS, schemaGrantStatements } from "../callers/grants.ts";
import { type CallerKind, databaseRoles } from "../callers/roles.ts";
import { databaseAddress, databaseUrl } from "../connection/address.ts";
import { upgradeSchema } from "../schema/upgrade.ts";
import type { DB } from "../types.ts";
import { installQueue } from "../work/queue.ts";
import { queueSchema } from "../work/queue-schema.ts";

const PASSWORD = "of-a-test";

export interface TestDatabase extends TestServer {
  db: Kysely<DB>;
  /** URL of a role that logs in. */
  urlOf(kind: CallerKind, environment?: Environment): string;
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
  const kind = migrated ? ["migrated", ...environments].join("-") : "schemas";
  const make = (into: string) => makeDatabase(into, migrated ? environments : undefined);
  const server = await startTestServer((directory) => layMade(directory, kind, make), "tenantry");
  const urlOf = (kind: CallerKind, environment: Environment = "production") =>
    databaseUrl({ ...databaseAddress(server.url), user: databaseRoles(environment)[kind], password: PASSWORD });
  return { ...server, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: server.pool }) }), urlOf };
}

/** Makes a database in a directory, and stops it. @param environments undefined for one without migrations */
async function makeDatabase(directory: string, environments: readonly Environment[] | undefined): Promise<void> {
  await layCluster(directory);
  const database = await startDatabase({ directory, name: "tenantry", log: () => undefined });
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
