import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../../..");

/**
 * Runs a module in its own process, which loads its own copy of the SDK, and returns its output.
 *
 * @param source resolves relative imports from the root of the repository
 */
export const runModule = (source: string): string =>
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", source], {
    cwd: ROOT,
    encoding: "utf8",
  });
