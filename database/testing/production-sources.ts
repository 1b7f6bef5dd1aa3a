/** Production sources, without tests and test helpers. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const EXCLUDED = /(^|\/)(node_modules|testing)\/|[.]test[.]tsx?$/;

export interface Source {
  /** Path from the root. */
  file: string;
  text: string;
}

/** @param patterns such as `workers/**\/*.ts` */
export function productionSources(patterns: readonly string[]): Source[] {
  return globSync([...patterns], { cwd: ROOT })
    .filter((file) => !EXCLUDED.test(file))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
}
