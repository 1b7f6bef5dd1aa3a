import { join } from "node:path";
import { openFileLog } from "@tenantry/std/log";
import { explainDatabaseError } from "#database/errors/database-fault.ts";
import { CatalogueError, withReason } from "#domain/errors/catalogue-error.ts";

const LOG_FILE = "start.log";

/** Returns an error's text for people, with the reason that they can search for. */
export function reportedFailure(error: unknown, directory: string): string {
  const text = describeFailure(error, directory);
  return error instanceof CatalogueError ? withReason(text, error.reason) : text;
}

/** Returns an error's text for people. The database's own message goes to the log, under an ID. */
export function describeFailure(error: unknown, directory: string): string {
  const explained = explainDatabaseError(error);
  if (explained === undefined) return error instanceof Error ? error.message : String(error);
  const { message, detail } = explained;
  if (detail === undefined) return message;
  const path = join(directory, LOG_FILE);
  const { log, close } = openFileLog(path);
  log("start", "database_error", { detail });
  close();
  return `${message} Log: ${path}`;
}
