import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { explainDatabaseError } from "#database/errors/database-fault.ts";
import { CatalogueError, withReason } from "#domain/errors/catalogue-error.ts";

/** Relative to the working directory. */
const LOG_FILE = ".fleet/errors.log";

/** Returns why a command failed, with the reason that users can search for. */
export function reportedFailure(error: unknown): string {
  const text = failureText(error);
  return error instanceof CatalogueError ? withReason(text, error.reason) : text;
}

/** Returns why a command failed. Writes the database's own message to a log and returns its ID instead. */
export function failureText(error: unknown): string {
  const explained = explainDatabaseError(error);
  if (explained === undefined) return error instanceof Error ? error.message : String(error);
  const { message, detail } = explained;
  if (detail === undefined) return message;
  const path = join(process.cwd(), LOG_FILE);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  appendFileSync(path, `${new Date().toISOString()} ${detail}\n`, { mode: 0o600 });
  return `${message} Log: ${path}`;
}
