import * as z from "zod";
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
