/** What a platform's stack declares, read as `pulumi up` reads it, and what its state holds. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { engineCommand } from "#automation/engine/command-line.ts";
import { type Encryption, withProject } from "#automation/engine/project.ts";
import { exportState } from "#automation/engine/state/scratch-backend.ts";
import { environments } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetDatabaseErrors } from "#domain/errors/commands/fleet-database.ts";
import { preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import { type PlatformStackSettings, readSettings } from "#stack/settings/settings.ts";
import { type Checked, checkWork } from "../doctor/checked.ts";
import { type StackFacts, stackFacts } from "../doctor/stacks/stack-facts.ts";
import { fileOfStack, readLoosely } from "../files/stack-file.ts";
import type { PlatformOptions } from "../options.ts";
import { CLOUDFLARE_API, CloudflareApi } from "./cloudflare.ts";

export interface Requirements {
  stack: string;
  settings: PlatformStackSettings;
  encryption: Encryption;
  /** The stack's state; undefined if the backend has no such stack. */
  state: Checked<StackFacts | undefined>;
  api: CloudflareApi;
  /** Environment of the engine and the program. */
  variables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

const environmentOf = z.object({
  "tenantry:environment": z.enum(environments).catch("production").default("production"),
});
const decrypted = z.record(z.string(), z.object({ value: z.string().optional() }));

/** @throws SettingsError with all faults, CatalogueError if there is no file or no platform */
export async function readRequirements(options: PlatformOptions): Promise<Requirements> {
  const { stack, directory, signal } = options;
  const path = join(dirname(directory), fileOfStack(stack));
  if (!existsSync(path)) throw new CatalogueError(fleetDatabaseErrors.platform_file_not_found, { file: path });
  const { config, encryption } = readLoosely(stack, readFileSync(path, "utf8"));
  const environment = environmentOf.parse(config)["tenantry:environment"];
  const variables = { ...options.variables, ...options.platformVariables(environment) };
  const values = hasSecrets(config) ? await decryptConfig(options, config, encryption) : plainConfig(config);
  const settings = readSettings({ get: (key: string) => values.get(`tenantry:${key}`) as never }, variables);
  if (settings.platform === undefined) throw new CatalogueError(preflightErrors.preflight_without_platform, { stack });
  const { CLOUDFLARE_API_TOKEN: token = "", CLOUDFLARE_BASE_URL: base } = variables;
  return {
    stack,
    settings,
    encryption,
    state: await checkWork(() => readState(stack, variables, signal)),
    api: new CloudflareApi(base || CLOUDFLARE_API, token, signal),
    variables,
    signal,
  };
}

const hasSecrets = (config: object) => JSON.stringify(config).includes('{"secure":');

function plainConfig(config: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const entries = Object.entries(config).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value ?? ""),
  ]);
  return new Map(entries);
}

async function decryptConfig(
  { stack, variables, signal }: PlatformOptions,
  config: Readonly<Record<string, unknown>>,
  encryption: Encryption,
): Promise<ReadonlyMap<string, string>> {
  const args = ["config", "--json", "--show-secrets", "--stack", stack];
  const read = (directory: string) => engineCommand(args, directory, variables, { signal });
  const text = await withProject(read, { stack, config, encryption });
  const values = Object.entries(decrypted.parse(JSON.parse(text)));
  return new Map(values.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
}

async function readState(
  stack: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<StackFacts | undefined> {
  const state = await exportState(stack, variables, signal);
  return state && stackFacts(stack, undefined, state);
}

/** Resources that this stack has created, by id in the API; none if its state cannot be read. */
export const ownResources = ({ state }: Requirements): StackFacts["resources"] =>
  ("found" in state ? state.found?.resources : undefined) ?? new Map();

/** Texts that no output may have. */
export function secretsOf({ settings, variables }: Requirements): string[] {
  const { databaseUrl, serviceRoleKey, restApiKey, stagingServiceRoleKey, stagingRestApiKey } = settings.connections;
  const passwords = [databaseUrl, variables.SMTP_URL].flatMap((url) => {
    if (url === undefined || !URL.canParse(url)) return [];
    const { password } = new URL(url);
    return [url, password, decoded(password)];
  });
  const all = [
    ...passwords,
    serviceRoleKey,
    restApiKey,
    stagingServiceRoleKey,
    stagingRestApiKey,
    variables.CLOUDFLARE_API_TOKEN,
    variables.PULUMI_CONFIG_PASSPHRASE,
    ...Object.values(settings.providerKeys ?? {}),
    ...Object.values(settings.doorSecrets ?? {}).flatMap((doors) =>
      Object.values(doors).flatMap((secrets) => Object.values(secrets)),
    ),
  ];
  return all.filter((text): text is string => typeof text === "string" && text.length >= 8);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
