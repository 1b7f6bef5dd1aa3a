import { fileURLToPath } from "node:url";
import type { Environment, Provider } from "../../provider/host/provider.ts";
import { type ProviderServer, startServer } from "../../provider/host/server.ts";
import { tenantry } from "../../provider/tenantry.ts";
import { cloudflare } from "./cloudflare/provider.ts";
import { postgresql } from "./postgresql/provider.ts";
import { random } from "./random/provider.ts";

/** The stand-ins for the vendors' plugins; `directory` is where the stack program runs. */
export function standIns(directory: string): Provider[] {
  return [cloudflare(directory), postgresql, random];
}

const executables = {
  cloudflare: fileURLToPath(new URL("./bin", import.meta.url)),
  postgresql: fileURLToPath(new URL("./bin", import.meta.url)),
  random: fileURLToPath(new URL("./bin", import.meta.url)),
  tenantry: fileURLToPath(new URL("../../provider", import.meta.url)),
};

/** `plugins.providers` of a project: where the engine finds the executables of all four providers. */
export const pluginPaths: readonly { name: string; path: string }[] = Object.entries(executables).map(
  ([name, path]) => ({ name, path }),
);

/** Environment that makes the engine's plugins be this server, and keeps it from downloading any. */
export function pluginEnvironment(server: ProviderServer): Record<string, string> {
  return {
    TENANTRY_PROVIDERS_PORT: String(server.port),
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/**
 * Serves the provider `tenantry` and all stand-ins on one free port of 127.0.0.1, for any number of engine runs at once.
 *
 * @param options.directory where the stack program runs, from where relative paths count. Default: the working directory.
 * @param options.environment where what a configuration leaves out is looked for. Default: that of the process.
 */
export function startProviders(
  options: { directory?: string; environment?: Environment } = {},
): Promise<ProviderServer> {
  return startServer([...standIns(options.directory ?? process.cwd()), tenantry], options.environment);
}
