import { execFile } from "node:child_process";
import { promisify } from "node:util";
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
  if (ref.startsWith("-")) throw new Error(`${JSON.stringify(ref)} is not a commit. Name a branch, a tag or a commit.`);
  const base = (
    await git("merge-base", ref, "HEAD").catch(() => {
      throw new Error(
        `Git finds no common commit of ${ref} and HEAD. Fetch the whole history, and name a branch, a tag or a commit.`,
      );
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
