import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkerBundle } from "../workers/bundle.ts";

const ROOT = join(import.meta.dirname, "..");

/** The arguments of a `WorkersScript` that say what it runs; its path is the same on every machine. */
export function scriptContent(bundle: WorkerBundle) {
  const file = join(bundle.path, bundle.mainModule);
  return {
    mainModule: bundle.mainModule,
    contentFile: relative(ROOT, file),
    contentSha256: createHash("sha256").update(readFileSync(file)).digest("hex"),
    compatibilityDate: bundle.compatibilityDate,
    compatibilityFlags: bundle.compatibilityFlags,
  };
}
