import { cloudflare } from "@tenantry/edge/pulumi-plugin";
import {
  type ProcessVariables,
  type Provider,
  type ProviderServer,
  type Replacement,
  startServer,
} from "@tenantry/plugin-host";
import { tenantry } from "#stack/provider/tenantry.ts";
import type { EngineTarget } from "../engine-target.ts";
import { postgresql } from "./postgresql/provider.ts";
import { random } from "./random/provider.ts";

/** Returns the stand-ins for the vendors' plugins. @param directory where the stack program runs */
export async function standIns(directory: string): Promise<Provider[]> {
  return [await cloudflare(directory), postgresql, random];
}

export async function servedReplacements(): Promise<Replacement[]> {
  const served = [...(await standIns(process.cwd())), tenantry];
  return served.flatMap(({ replacements }) => [...replacements]);
}

/**
 * Serves `tenantry` and all stand-ins on one free port of 127.0.0.1, for any number of concurrent engine runs.
 *
 * @param options.directory where the stack program runs. Default: the working directory.
 * @param options.environment fallback for missing configuration. Default: that of the process.
 */
export async function startProviders(
  options: { directory?: string; environment?: ProcessVariables } = {},
): Promise<ProviderServer> {
  const vendors = await standIns(options.directory ?? process.cwd());
  return startServer([...vendors, tenantry], options.environment);
}

export function startProvidersFor({
  apiToken,
  apiUrl,
}: Pick<EngineTarget, "apiToken" | "apiUrl">): Promise<ProviderServer> {
  return startProviders({
    environment: { ...process.env, CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_BASE_URL: apiUrl },
  });
}
