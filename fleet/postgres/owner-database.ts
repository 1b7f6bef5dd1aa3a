/** The platform's database as its owner enters it, by the URL of the stack's configuration. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import * as z from "zod";
import { engineCommand } from "#automation/engine/command-line.ts";
import { RunProject } from "#automation/engine/project.ts";
import type { EngineOptions } from "#automation/engine/runs.ts";
import { type DatabaseAddress, databaseAddress, databaseUrl } from "#database/connection/address.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { fileOfStack, readLoosely } from "../files/stack-file.ts";

const CONNECT_MS = 10_000;
const SETTING = "tenantry:databaseUrl";
const VARIABLE = "TENANTRY_DATABASE_URL";

export interface DatabaseOptions extends EngineOptions {
  /** Stack of the platform. */
  stack: string;
  /** Of the files of tenants' stacks, absolute; the platform's file is in the directory above. */
  directory: string;
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  signal: AbortSignal;
  say: (line: string) => void;
}

const said = z.object({ "tenantry:environment": z.enum(environments).catch("production").default("production") });

/** The stack's file. @throws Error with one sentence where there is none */
function readStack({ stack, directory }: Pick<DatabaseOptions, "stack" | "directory">) {
  const path = join(dirname(directory), fileOfStack(stack));
  if (!existsSync(path)) throw new Error(`There is no ${path}. Give --stack the name of the platform's stack.`);
  const { config, encryption } = readLoosely(stack, readFileSync(path, "utf8"));
  return { path, config, encryption, environment: said.parse(config)["tenantry:environment"] };
}

/** @throws Error with one sentence where the stack has no file */
export const ownerEnvironment = (options: Pick<DatabaseOptions, "stack" | "directory">): Environment =>
  readStack(options).environment;

/** @throws Error with one sentence where the stack's configuration has no URL */
export async function ownerAddress(options: DatabaseOptions): Promise<DatabaseAddress> {
  const { variables, platformVariables } = options;
  const { path, config, encryption, environment } = readStack(options);
  const configured = config[SETTING] === undefined ? undefined : await decrypted(options, config, encryption);
  const url = configured ?? { ...variables, ...platformVariables(environment) }[VARIABLE];
  if (url === undefined) throw new Error(`${path} has no ${SETTING}. Set it, or ${VARIABLE}.`);
  return databaseAddress(url);
}

async function decrypted(
  { stack, variables, signal }: DatabaseOptions,
  config: Readonly<Record<string, unknown>>,
  encryption: Readonly<Record<string, string>>,
): Promise<string> {
  const project = new RunProject(stack, config, encryption);
  try {
    const args = ["config", "get", SETTING, "--stack", stack];
    return (await engineCommand(args, project.directory, variables, { signal })).trim();
  } finally {
    project.remove();
  }
}

/** Does something with a connection of the owner's. @param database that it connects to. Default: the address's */
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
  // The query under way tells of it.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`Failed to connect to the database ${database}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Major version of the server. */
export async function serverMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return Math.floor((rows[0]?.version ?? 0) / 10_000);
}
