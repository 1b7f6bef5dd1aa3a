import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sha256 } from "@tenantry/cloudflare-client/content";
import type { WorkerBundle } from "#workers/bundle.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Complete, because Cloudflare returns its defaults, which a refresh would report as drift. */
const observabilitySettings = (invocationLogs: boolean) => ({
  enabled: true,
  headSamplingRate: 1,
  logs: { enabled: true, invocationLogs, headSamplingRate: 1, persist: true },
});

/**
 * Returns the arguments of a `WorkersScript` for its content and logs. The path is relative, so that it is the same on every machine.
 * @param options.hasSecretPaths whether Cloudflare must not log request URLs. Default: false
 */
export function scriptContent(bundle: WorkerBundle, { hasSecretPaths = false } = {}) {
  const file = join(bundle.path, bundle.mainModule);
  return {
    mainModule: bundle.mainModule,
    contentFile: relative(ROOT, file),
    contentSha256: sha256(readFileSync(file)),
    compatibilityDate: bundle.compatibilityDate,
    compatibilityFlags: bundle.compatibilityFlags,
    observability: observabilitySettings(!hasSecretPaths),
  };
}
