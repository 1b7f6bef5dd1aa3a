/**
 * The engine's state file after a kill in the middle of a write. The engine writes over the old state, after it has copied it
 * beside; so that copy is whole when the state is not, and lacks one step at most.
 */
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";

/**
 * Puts a torn state file right: from the copy, or, where there is no whole copy yet, by removing it.
 *
 * @param file state of one stack in a file backend; it need not exist
 */
export function repairState(file: string): void {
  if (!existsSync(file) || isWhole(file)) return;
  const copy = `${file}.bak`;
  if (existsSync(copy) && isWhole(copy)) copyFileSync(copy, file);
  else rmSync(file);
  // What the engine notes beside a file is of the torn one.
  rmSync(`${file}.attrs`, { force: true });
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
