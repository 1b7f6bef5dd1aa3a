import { renameSync, writeFileSync } from "node:fs";

/** Replaces a file atomically. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}
