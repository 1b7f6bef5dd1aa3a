/** Prepares the Pulumi project for the local edge: stack files, state and passphrase are in the state directory, not in the checkout. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PORT_VARIABLE } from "@tenantry/plugin-host";
import { parse, parseDocument, stringify } from "yaml";
import * as z from "zod";
import { type Environment, environments } from "#domain/environment.ts";
import { RUN_FLAG_VARIABLES } from "#stack/settings/run-flags.ts";
import type { EngineTarget } from "../engine-target.ts";
import { pluginPaths, standInDirectories } from "../providers/plugin-paths.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM_ENTRY = join(import.meta.dirname, "program-entry.ts");

export function programEnvironment(target: EngineTarget, environment: Environment): Record<string, string> {
  return {
    TENANTRY_DATABASE_URL: target.databaseUrl,
    TENANTRY_REST_URL: target.restUrl,
    TENANTRY_SERVICE_ROLE_KEY: target.serviceRoleKeys[environment],
    TENANTRY_ACCESS_ISSUER: target.accessIssuer,
    TENANTRY_DISPATCH_URL: target.dispatchUrls[environment],
    TENANTRY_AI_GATEWAY_URL: target.aiGatewayUrl,
    CLOUDFLARE_BASE_URL: target.apiUrl,
    ...Object.fromEntries(RUN_FLAG_VARIABLES.map((name) => [name, process.env[name] ?? ""])),
  };
}

const PLATFORM = "tenantry:platform";
const settingsFile = z.object({ config: z.object({ "tenantry:environment": z.enum(environments) }) });
const platformFile = z.object({ config: z.object({ [PLATFORM]: z.object({ containerImage: z.string() }) }) });

export function declaredEnvironment(settings: string): Environment {
  const { data } = settingsFile.safeParse(parse(readFileSync(settings, "utf8")));
  return data?.config["tenantry:environment"] ?? "production";
}

/** Returns the container image of a settings file; undefined without a platform. */
export function declaredImage(settings: string): string | undefined {
  return platformFile.safeParse(parse(readFileSync(settings, "utf8"))).data?.config[PLATFORM]?.containerImage;
}

/**
 * Returns the variables of an engine process.
 *
 * @param providersPort default: `PULUMI_PLUGIN_HOST_PORT` of this process; without it, each run starts its own providers
 */
export function engineEnvironment(
  directory: string,
  target: EngineTarget,
  environment: Environment,
  providersPort: number | undefined,
  vendorPlugins = false,
): Record<string, string> {
  return {
    ...programEnvironment(target, environment),
    ...stateEnvironment(directory, target, providersPort, vendorPlugins),
  };
}

export function stateEnvironment(
  directory: string,
  target: EngineTarget,
  providersPort: number | undefined,
  vendorPlugins = false,
): Record<string, string> {
  const backend = join(directory, "pulumi");
  const port = providersPort ?? process.env[PORT_VARIABLE];
  mkdirSync(backend, { recursive: true, mode: 0o700 });
  return {
    CLOUDFLARE_API_TOKEN: target.apiToken,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: target.passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_LANGUAGE_NODEJS_RUN_PATH: PROGRAM_ENTRY,
    ...(port !== undefined && { [PORT_VARIABLE]: String(port) }),
    ...(!vendorPlugins && {
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // A project such as tenants/ names our own provider only.
      PATH: [...standInDirectories, process.env.PATH].join(delimiter),
    }),
  };
}

/**
 * Writes a project whose stack `name` has the settings of the file `settings`.
 *
 * @param containerImage replaces the platform's image
 * @returns the project's directory
 */
export function prepareProject(
  directory: string,
  name: string,
  settings: string,
  vendorPlugins = false,
  containerImage?: string,
): string {
  const project = join(directory, "project");
  mkdirSync(project, { recursive: true, mode: 0o700 });
  const definition = parse(readFileSync(join(ROOT, "Pulumi.yaml"), "utf8"));
  const providers = pluginPaths.filter(({ name }) => name === "tenantry" || !vendorPlugins);
  writeFileSync(
    join(project, "Pulumi.yaml"),
    stringify({ ...definition, main: join(ROOT, definition.main), plugins: { providers } }),
  );
  const stackFile = stackFileOf(directory, name);
  const document = parseDocument(readFileSync(settings, "utf8"));
  if (containerImage !== undefined && document.hasIn(IMAGE)) document.setIn(IMAGE, containerImage);
  // Keys belong to this state, unless the settings have secrets, as after a rotation.
  if (existsSync(stackFile) && !KEYS.some((key) => document.has(key))) {
    const existing = parse(readFileSync(stackFile, "utf8"));
    for (const key of KEYS) if (existing[key] !== undefined) document.set(key, existing[key]);
  }
  writeFileSync(stackFile, document.toString());
  return project;
}

/** Makes the next run read the salt from the state, because the passphrase has changed. */
export function forgetSalt(directory: string, name: string): void {
  rmSync(stackFileOf(directory, name), { force: true });
}

const KEYS = ["encryptionsalt", "secretsprovider", "encryptedkey"];
const IMAGE = ["config", PLATFORM, "containerImage"];
const stackFileOf = (directory: string, name: string) => join(directory, "project", `Pulumi.${name}.yaml`);
