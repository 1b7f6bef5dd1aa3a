/**
 * Which engine had a state directory's containers last. What another one kept meanwhile is older than what the tenants have
 * backed up since, and would be taken for theirs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The engine that runs plain processes. */
export const PROCESSES = "processes";

const fileOf = (directory: string): string => join(directory, ".engine");

/** The engine of the last start, by its address; `undefined` before the first. */
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
