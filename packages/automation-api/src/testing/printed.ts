/** Runs source text in a process of its own, whose SDK is another than the test's. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../../..");

/** @param source a module; its imports begin at the root of the repository @returns what it printed */
export const printed = (source: string): string =>
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", source], {
    cwd: ROOT,
    encoding: "utf8",
  });
