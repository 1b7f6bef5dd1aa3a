import pg from "pg";
import { connectionString } from "#database/connection/connection-string.ts";
import { inspectSchema } from "#database/schema/inspect.ts";
import type { Environment } from "#domain/environment.ts";

const CONNECT_MS = 10_000;

export interface SchemaState {
  /** Version of Tenantry that the platform runs; undefined if its stack recorded none. */
  deployed: string | undefined;
  /** Differences from the schema of this release, one sentence each. */
  differences: readonly string[];
}

/** @param url of the service's role */
export async function checkSchema(url: string, environment: Environment): Promise<SchemaState> {
  const client = new pg.Client({
    connectionString: connectionString(url),
    application_name: "tenantry-doctor",
    connectionTimeoutMillis: CONNECT_MS,
  });
  // The current query fails with the same error.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin read only");
    const { findings, migration } = await inspectSchema(client);
    if (migration === undefined) return { deployed: undefined, differences: ["The schema was never deployed."] };
    return { deployed: await deployedVersion(client, environment), differences: findings };
  } finally {
    await client.end();
  }
}

async function deployedVersion(client: pg.Client, environment: Environment): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    "select to_regclass('tenantry.platform_versions') is not null as found",
  );
  if (tables[0]?.found !== true) return undefined;
  const { rows } = await client.query<{ version: string }>(
    "select version from tenantry.platform_versions where environment = $1",
    [environment],
  );
  return rows[0]?.version;
}
