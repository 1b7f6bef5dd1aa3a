/** A real Postgres in a temporary directory, for one test file. */

import { startDatabase } from "@tenantry/postgres";
import { copyEmptyCluster, copyOrCreateCluster } from "@tenantry/postgres/testing/prepared-cluster";
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
 * Starts a database with the platform's schemas and, by default, all migrations.
 * @param options.environments with roles and queue. Default: production; none without migrations
 */
export async function startTestDatabase(
  options: { migrated?: boolean; environments?: readonly Environment[] } = {},
): Promise<TestDatabase> {
  const { migrated = true, environments = ["production"] } = options;
  const kind = migrated ? ["migrated", ...environments].join("-") : "schemas";
  const create = (into: string) => makeDatabase(into, migrated ? environments : undefined);
  const server = await startTestServer((directory) => copyOrCreateCluster(directory, kind, create), "tenantry");
  const urlOf = (kind: CallerKind, environment: Environment = "production") =>
    databaseUrl({ ...databaseAddress(server.url), user: databaseRoles(environment)[kind], password: PASSWORD });
  return { ...server, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: server.pool }) }), urlOf };
}

/** Creates a database in a directory, and stops it. @param environments undefined for a database without migrations */
async function makeDatabase(directory: string, environments: readonly Environment[] | undefined): Promise<void> {
  await copyEmptyCluster(directory);
  const database = await startDatabase({ directory, name: "tenantry", log: () => undefined });
  const owner = new pg.Client(database.url);
  // The connection can still be closing when the server stops.
  owner.on("error", () => undefined);
  try {
    await owner.connect();
    await owner.query(SCHEMAS.map((schema) => `create schema ${schema}`).join(";"));
    if (environments === undefined) return;
    // Key derivation is most of a login's cost, and these passwords are not secret.
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
