import { renameSync, writeFileSync } from "node:fs";

/** Writes a file so that whoever is killed leaves it as it was, or as it is to be. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}
