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

/** Returns the stand-ins for the vendors' plugins. @param directory where the stack program runs @param adopts see {@link startProviders} */
export async function standIns(directory: string, adopts?: boolean): Promise<Provider[]> {
  return [await cloudflare(directory, adopts), postgresql, random];
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
 * @param options.adopts whether Cloudflare's creates adopt existing resources, unlike the vendor's plugin. Default: true.
 */
export async function startProviders(
  options: { directory?: string; environment?: ProcessVariables; adopts?: boolean } = {},
): Promise<ProviderServer> {
  const vendors = await standIns(options.directory ?? process.cwd(), options.adopts);
  return startServer([...vendors, tenantry], options.environment);
}

export function startProvidersFor({ apiToken, apiUrl }: EngineTarget, adopts?: boolean): Promise<ProviderServer> {
  return startProviders({
    environment: { ...process.env, CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_BASE_URL: apiUrl },
    ...(adopts !== undefined && { adopts }),
  });
}
