/** What a state in files keeps of earlier runs: the engine adds to it with each run, and never removes any. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Runs of each stack that are kept: the newest. */
export const RUNS_KEPT = 20;

/** `{stack}-{time}.history.json`, `{stack}-{time}.checkpoint.json`, `{stack}.{time}.json`, and what lies beside them. */
const TIME = /[-.](\d{16,})\.(?:history\.|checkpoint\.)?json/;

/** Removes histories, checkpoints and backups of all but the newest runs of each stack. @param backend directory of the state */
export function pruneHistory(backend: string): void {
  for (const kind of ["history", "backups"]) {
    const projects = join(backend, ".pulumi", kind);
    for (const project of directoriesIn(projects)) {
      for (const stack of directoriesIn(project)) prune(stack);
    }
  }
}

function directoriesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}

function prune(directory: string): void {
  const files = readdirSync(directory).flatMap((name) => {
    const time = TIME.exec(name)?.[1];
    return time === undefined ? [] : [{ name, time: BigInt(time) }];
  });
  const oldest = [...new Set(files.map(({ time }) => time))].sort((a, b) => (a < b ? 1 : -1))[RUNS_KEPT - 1];
  if (oldest === undefined) return;
  // Another run may be removing the same.
  for (const { name, time } of files) if (time < oldest) rmSync(join(directory, name), { force: true });
}
