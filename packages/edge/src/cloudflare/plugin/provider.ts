import { cloudflareClient, cloudflareErrorMessage } from "@tenantry/cloudflare-client/client";
import { type Provider, provider } from "@tenantry/plugin-host";
import * as z from "zod";
import { kinds } from "../kinds.ts";
import { Api } from "./api.ts";
import { apiResource } from "./api-resource.ts";

/** Emulates Cloudflare's provider, which adopts nothing. @param directory base of relative paths */
export async function cloudflareProvider(directory: string): Promise<Provider> {
  const parts = await Promise.all(kinds.map(async (kind) => (await kind.plugin?.())?.plugin));
  return provider({
    name: "cloudflare",
    version: "6.22.1",
    config: z.object({ apiToken: z.string().optional(), baseUrl: z.string().optional() }),
    connect: (config, environment) => new Api(cloudflareClient(config, environment, "cloudflare")),
    resources: parts.flatMap((part) => [
      ...(part?.resources ?? []).map(apiResource),
      ...(part?.custom?.(directory) ?? []),
    ]),
    functions: Object.assign({}, ...parts.map((part) => part?.functions)),
    wording: cloudflareErrorMessage,
  });
}
