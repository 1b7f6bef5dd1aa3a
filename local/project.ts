/**
 * The Pulumi project as the engine is run against the local edge: the same program, with its stack files, state and passphrase
 * in the state directory, so that a run leaves the checkout as it was.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const STANDINS = join(ROOT, "local/providers/bin");

/** Where the engine finds the edge. */
export interface EngineTarget {
  apiUrl: string;
  apiToken: string;
  restUrl: string;
  serviceRoleKey: string;
  databaseUrl: string;
  accessIssuer: string;
  providersPort: number;
  /** Encrypts secrets in the state. */
  passphrase: string;
}

/** What the program reads of its environment (`components/settings.ts`). */
export function programEnvironment(target: EngineTarget): Record<string, string> {
  return {
    TENANTRY_DATABASE_URL: target.databaseUrl,
    TENANTRY_REST_URL: target.restUrl,
    TENANTRY_SERVICE_ROLE_KEY: target.serviceRoleKey,
    TENANTRY_ACCESS_ISSUER: target.accessIssuer,
  };
}

/**
 * The environment of an engine's process.
 *
 * @param vendorPlugins whether the vendors' downloaded plugins are used instead of the stand-ins
 */
export function engineEnvironment(
  directory: string,
  target: EngineTarget,
  vendorPlugins = false,
): Record<string, string> {
  const backend = join(directory, "pulumi");
  mkdirSync(backend, { recursive: true, mode: 0o700 });
  return {
    ...programEnvironment(target),
    CLOUDFLARE_API_TOKEN: target.apiToken,
    CLOUDFLARE_BASE_URL: target.apiUrl,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: target.passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    TENANTRY_PROVIDERS_PORT: String(target.providersPort),
    ...(vendorPlugins
      ? {}
      : {
          // The engine takes plugins it finds on the PATH.
          PATH: [STANDINS, process.env.PATH ?? ""].join(delimiter),
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        }),
  };
}

/**
 * Lays out a project directory whose stack `name` has the settings of the file `settings`.
 *
 * @returns the directory to run the engine in
 */
export function prepareProject(directory: string, name: string, settings: string): string {
  const project = join(directory, "project");
  mkdirSync(project, { recursive: true, mode: 0o700 });
  const definition = readFileSync(join(ROOT, "Pulumi.yaml"), "utf8")
    .replace(/^main: .*$/m, `main: ${join(ROOT, "index.ts")}`)
    .replace(/path: provider$/m, `path: ${join(ROOT, "provider")}`);
  writeFileSync(join(project, "Pulumi.yaml"), definition);
  const stackFile = join(project, `Pulumi.${name}.yaml`);
  // The salt belongs to this directory's passphrase and state.
  const salt = existsSync(stackFile) ? /^encryptionsalt: .*$/m.exec(readFileSync(stackFile, "utf8"))?.[0] : undefined;
  copyFileSync(settings, stackFile);
  if (salt !== undefined) writeFileSync(stackFile, `${salt}\n${readFileSync(settings, "utf8")}`);
  return project;
}
