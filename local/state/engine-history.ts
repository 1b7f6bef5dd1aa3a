/** The engine adds history to a file state with each run and never removes any. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Per stack. */
export const MAX_RUNS = 20;

/** `{stack}-{time}.history.json`, `{stack}-{time}.checkpoint.json`, `{stack}.{time}.json`, and what lies beside them. */
const TIME = /[-.](\d{16,})\.(?:history\.|checkpoint\.)?json/;

/** Removes histories, checkpoints and backups except those of each stack's last runs. @param backend directory of the state */
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
  const oldest = [...new Set(files.map(({ time }) => time))].sort((a, b) => (a < b ? 1 : -1))[MAX_RUNS - 1];
  if (oldest === undefined) return;
  // Concurrent runs may remove the same files.
  for (const { name, time } of files) if (time < oldest) rmSync(join(directory, name), { force: true });
}
