import * as z from "zod";
import type { AssetConfig } from "./record.ts";
import { faultsOfRules } from "./routing-rules.ts";

const rules = z.array(z.string()).superRefine((given, context) => {
  for (const message of faultsOfRules(given)) context.addIssue({ code: "custom", message });
});

const config = z.looseObject({
  html_handling: z.enum(["auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"]).nullish(),
  not_found_handling: z.enum(["none", "404-page", "single-page-application"]).nullish(),
  run_worker_first: z.union([z.boolean(), rules]).nullish(),
  /** Deprecated: the inverse of `run_worker_first`. */
  serve_directly: z.boolean().nullish(),
  base_path: z.literal("/", "must be / on the local edge").nullish(),
  _headers: z.string().nullish(),
  _redirects: z.string().nullish(),
});

export const assetsMetadata = z.looseObject({
  /** The completion token. */
  jwt: z.string().nullish(),
  config: config.nullish(),
});
export type AssetsMetadata = z.infer<typeof assetsMetadata>;

/** Returns the configuration without missing fields. */
export function assetConfigOf({ config: given }: AssetsMetadata): AssetConfig {
  const { html_handling, not_found_handling, serve_directly, _headers, _redirects } = given ?? {};
  const first = given?.run_worker_first ?? (typeof serve_directly === "boolean" ? !serve_directly : undefined);
  return {
    ...(html_handling && { html_handling }),
    ...(not_found_handling && { not_found_handling }),
    ...(first !== undefined && { run_worker_first: first }),
    ...(_headers && { _headers }),
    ...(_redirects && { _redirects }),
  };
}
