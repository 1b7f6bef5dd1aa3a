import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { explainDatabaseError } from "#database/errors/database-fault.ts";

/** The log of commands of the fleet, below the working directory. */
const LOG_FILE = ".fleet/errors.log";

/** Why a command failed, for people. Of the database's own words they get an ID, under which the log has them. */
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
