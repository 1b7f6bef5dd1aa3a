import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Repository {
  /** Directory of the stacks' files. */
  directory: string;
  write: (stack: string, text: string) => void;
  remove: (stack: string) => void;
  git: (...args: string[]) => string;
  /** Commits all files. @returns the commit's hash */
  commit: () => string;
}

export function scratchRepository(): Repository {
  const root = mkdtempSync(join(tmpdir(), "tenantry-repository-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, "tenants");
  mkdirSync(directory);
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, ...identity, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  git("init", "-q", "-b", "main");
  writeFileSync(join(root, "README.md"), "tenants\n");
  const fileOf = (stack: string) => join(directory, `Pulumi.${stack}.yaml`);
  return {
    directory,
    git,
    write: (stack, text) => writeFileSync(fileOf(stack), text),
    remove: (stack) => rmSync(fileOf(stack)),
    commit: () => {
      git("add", "-A");
      git("commit", "-q", "-m", "change");
      return git("rev-parse", "HEAD").trim();
    },
  };
}
