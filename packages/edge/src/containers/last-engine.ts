/**
 * Records which engine ran the containers of a state directory last. The disks of another engine are older than the backups of its containers,
 * and must not be used again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const PROCESSES = "processes";

const fileOf = (directory: string): string => join(directory, ".engine");

export function lastEngine(directory: string): string | undefined {
  try {
    return readFileSync(fileOf(directory), "utf8");
  } catch {
    return undefined;
  }
}

export function rememberEngine(directory: string, engine: string): void {
  writeFileSync(fileOf(directory), engine, { mode: 0o600 });
}
