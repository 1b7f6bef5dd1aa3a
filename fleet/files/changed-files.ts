import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetFileErrors } from "#domain/errors/commands/fleet-files.ts";
import { stackOfFile } from "./stack-file.ts";

export interface ChangedFiles {
  /** Names of files that are new, changed or untracked. */
  present: string[];
  /** Contents of deleted files, by name. */
  deleted: Map<string, string>;
}

/** Compares the stacks' files with the commit where the branch left `ref`. */
export async function changedFiles(directory: string, ref: string): Promise<ChangedFiles> {
  const git = (...args: string[]) => runGit(directory, args);
  if (ref.startsWith("-")) throw new CatalogueError(fleetFileErrors.git_ref_invalid, { ref: JSON.stringify(ref) });
  const base = (
    await git("merge-base", ref, "HEAD").catch(() => {
      throw new CatalogueError(fleetFileErrors.git_base_not_found, { ref });
    })
  ).trim();
  const entries = (await git("diff", "--name-status", "--no-renames", "--relative", "-z", base, "--", ".")).split("\0");
  const present = new Set<string>();
  const deleted = new Map<string, string>();
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const [status = "", name = ""] = entries.slice(index, index + 2);
    if (stackOfFile(name) === undefined) continue;
    if (status === "D") deleted.set(name, await git("show", `${base}:./${name}`));
    else present.add(name);
  }
  const unknown = (await git("ls-files", "--others", "--exclude-standard", "-z", "--", ".")).split("\0");
  for (const name of unknown) {
    if (stackOfFile(name) === undefined) continue;
    present.add(name);
    // It was removed from the index only.
    deleted.delete(name);
  }
  return { present: [...present].toSorted(), deleted };
}

async function runGit(directory: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-C", directory, ...args], { maxBuffer: 1 << 28 });
  return stdout;
}
