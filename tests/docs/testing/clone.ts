/** A clone of the repository, and the environment of a shell in it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ROOT } from "../../testing/engine.ts";

/** Parts of the repository that no documented command reads. */
const NOT_COPIED = /^(?:bench|tests|docs)\//;
/** Where the engine is in its home. */
const ENGINE = /\/versions\/[^/]+\/bin$/;
const engine = (process.env.PATH ?? "").split(delimiter).find((entry) => ENGINE.test(entry)) ?? "";
/** Directories of the engine, whose `pulumi` that of the packages only starts, and of the packages' programs. */
export const PROGRAMS: readonly string[] = [engine, join(ROOT, "node_modules/.bin")];
/** Of the reader's commits. */
const AUTHOR = {
  GIT_AUTHOR_NAME: "Reader",
  GIT_AUTHOR_EMAIL: "reader@example.com",
  GIT_COMMITTER_NAME: "Reader",
  GIT_COMMITTER_EMAIL: "reader@example.com",
};

/** Copies the files of the repository, and shares its packages and built Workers. */
export function cloneRepository(directory: string): void {
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 10_000_000 } as const;
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], options).split("\n");
  for (const file of files) {
    if (file === "" || NOT_COPIED.test(file)) continue;
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(directory, file));
  }
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  for (const shared of ["node_modules", "dist"]) symlinkSync(join(ROOT, shared), join(directory, shared));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, env: { ...process.env, ...AUTHOR } });
  git("init", "--quiet");
  git("add", "tenants", "package.json");
  git("commit", "--quiet", "-m", "Clone");
}

/** Returns variables of a shell with a home and an engine home of its own in `parent`. */
export function shellVariables(parent: string): NodeJS.ProcessEnv {
  const home = join(parent, "home");
  mkdirSync(home);
  // A refused request fails the command.
  writeFileSync(join(home, ".curlrc"), "fail-with-body\nsilent\nshow-error\n");
  const pulumiHome = join(parent, "pulumi");
  mkdirSync(pulumiHome);
  symlinkSync(dirname(dirname(engine)), join(pulumiHome, "versions"));
  writeFileSync(join(pulumiHome, "logs"), "");
  const { SECRETS_PROVIDER: _, ...inherited } = process.env;
  return {
    ...inherited,
    ...AUTHOR,
    PATH: [...PROGRAMS, inherited.PATH].join(delimiter),
    HOME: home,
    PULUMI_HOME: pulumiHome,
  };
}
