import { join } from "node:path";
import { openFileLog } from "@tenantry/std/log";
import { explainDatabaseError } from "#database/errors/database-fault.ts";

const LOG_FILE = "start.log";

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
