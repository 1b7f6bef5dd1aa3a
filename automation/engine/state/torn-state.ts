/**
 * The engine's state file after a kill in the middle of a write. The engine writes over the old state, after it has copied it
 * beside; so that copy is whole when the state is not, and lacks one step at most. What it notes beside the state (`.attrs`) is
 * written first, in place: torn, it makes a whole state unreadable ("failed to load checkpoint: EOF"); without it all is well.
 */
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";

/**
 * Puts a torn state file right: from the copy, or, where there is no whole copy yet, by removing it.
 *
 * @param file state of one stack in a file backend; it need not exist
 */
export function repairState(file: string): void {
  const notes = `${file}.attrs`;
  if (existsSync(notes) && !isWhole(notes)) rmSync(notes);
  if (!existsSync(file) || isWhole(file)) return;
  const copy = `${file}.bak`;
  if (existsSync(copy) && isWhole(copy)) copyFileSync(copy, file);
  else rmSync(file);
  // What the engine notes beside a file is of the torn one.
  rmSync(notes, { force: true });
}

function isWhole(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
