import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sha256 } from "@tenantry/cloudflare-client/content";
import type { WorkerBundle } from "#workers/bundle.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * All that is logged, told in full: Cloudflare answers with its defaults, which would else show as drift after every refresh.
 *
 * @param invocationLogs whether each request's address is logged by the vendor too
 */
const observability = (invocationLogs: boolean) => ({
  enabled: true,
  headSamplingRate: 1,
  logs: { enabled: true, invocationLogs, headSamplingRate: 1, persist: true },
});

/**
 * The arguments of a `WorkersScript` that say what it runs and logs; its path is the same on every machine.
 *
 * @param options.hasSecretPaths whether its addresses hold what opens something. Default: false
 */
export function scriptContent(bundle: WorkerBundle, { hasSecretPaths = false } = {}) {
  const file = join(bundle.path, bundle.mainModule);
  return {
    mainModule: bundle.mainModule,
    contentFile: relative(ROOT, file),
    contentSha256: sha256(readFileSync(file)),
    compatibilityDate: bundle.compatibilityDate,
    compatibilityFlags: bundle.compatibilityFlags,
    observability: observability(!hasSecretPaths),
  };
}
