import { join } from "node:path";
import { fileLog } from "@tenantry/std/log";
import { explainDatabaseError } from "#database/errors/database-fault.ts";

/** Log of `npm start`, in the state directory. */
const LOG_FILE = "start.log";

/** Why something of `npm start` failed, for people. Of the database's own words they get an ID, under which the log has them. */
export function failureText(error: unknown, directory: string): string {
  const explained = explainDatabaseError(error);
  if (explained === undefined) return error instanceof Error ? error.message : String(error);
  const { message, detail } = explained;
  if (detail === undefined) return message;
  const path = join(directory, LOG_FILE);
  const { log, close } = fileLog(path);
  log("start", "database_error", { detail });
  close();
  return `${message} Log: ${path}`;
}
