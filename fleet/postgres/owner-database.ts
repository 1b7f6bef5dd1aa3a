import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import * as z from "zod";
import { engineCommand } from "#automation/engine/command-line.ts";
import { withProject } from "#automation/engine/project.ts";
import { type DatabaseAddress, databaseAddress, databaseUrl } from "#database/connection/address.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetDatabaseErrors } from "#domain/errors/commands/fleet-database.ts";
import { fileOfStack, readLoosely } from "../files/stack-file.ts";
import type { PlatformOptions } from "../options.ts";

const CONNECT_MS = 10_000;
const SETTING = "tenantry:databaseUrl";
const VARIABLE = "TENANTRY_DATABASE_URL";

const environmentSetting = z.object({
  "tenantry:environment": z.enum(environments).catch("production").default("production"),
});

/** @throws Error if the stack has no file */
function readStack({ stack, directory }: Pick<PlatformOptions, "stack" | "directory">) {
  const path = join(dirname(directory), fileOfStack(stack));
  if (!existsSync(path)) throw new CatalogueError(fleetDatabaseErrors.platform_file_not_found, { file: path });
  const { config, encryption } = readLoosely(stack, readFileSync(path, "utf8"));
  return { path, config, encryption, environment: environmentSetting.parse(config)["tenantry:environment"] };
}

/** @throws Error if the stack has no file */
export const ownerEnvironment = (options: Pick<PlatformOptions, "stack" | "directory">): Environment =>
  readStack(options).environment;

/** @throws Error if the stack's configuration has no database URL */
export async function ownerAddress(options: PlatformOptions): Promise<DatabaseAddress> {
  const { variables, platformVariables } = options;
  const { path, config, encryption, environment } = readStack(options);
  const configured = config[SETTING] === undefined ? undefined : await decryptUrl(options, config, encryption);
  const url = configured ?? { ...variables, ...platformVariables(environment) }[VARIABLE];
  if (url === undefined) {
    throw new CatalogueError(fleetDatabaseErrors.database_url_not_set, {
      file: path,
      setting: SETTING,
      variable: VARIABLE,
    });
  }
  return databaseAddress(url);
}

async function decryptUrl(
  { stack, variables, signal }: PlatformOptions,
  config: Readonly<Record<string, unknown>>,
  encryption: Readonly<Record<string, string>>,
): Promise<string> {
  const args = ["config", "get", SETTING, "--stack", stack];
  const read = (directory: string) => engineCommand(args, directory, variables, { signal });
  return (await withProject(read, { stack, config, encryption })).trim();
}

/** Runs `work` with a connection of the owner. @param database to connect to. Default: the address's */
export async function asOwner<T>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
  database = address.database,
): Promise<T> {
  const client = new pg.Client({
    connectionString: connectionString(databaseUrl({ ...address, database })),
    application_name: "tenantry-dump",
    connectionTimeoutMillis: CONNECT_MS,
  });
  // The current query fails with the same error.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const values = { database, fault: asSentence((error as Error).message), setting: SETTING };
    throw new CatalogueError(fleetDatabaseErrors.owner_connection_failed, values, { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function serverMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return Math.floor((rows[0]?.version ?? 0) / 10_000);
}
