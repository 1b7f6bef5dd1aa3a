/**
 * A state file after a kill during a write. The engine copies the old state (`.bak`), then overwrites it in place: the copy is complete and
 * lacks one step at most. It writes metadata (`.attrs`) first: a partial file makes the state unreadable, a missing one does not.
 */
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";

/** Restores a partially written state from its copy, or deletes it if no copy is complete. @param file need not exist */
export function repairState(file: string): void {
  const metadata = `${file}.attrs`;
  if (existsSync(metadata) && !isComplete(metadata)) rmSync(metadata);
  if (!existsSync(file) || isComplete(file)) return;
  const copy = `${file}.bak`;
  if (existsSync(copy) && isComplete(copy)) copyFileSync(copy, file);
  else rmSync(file);
  // The metadata belongs to the partial file.
  rmSync(metadata, { force: true });
}

function isComplete(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
