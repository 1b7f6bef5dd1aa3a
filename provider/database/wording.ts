import pg from "pg";
import { databaseFault, explainDatabaseError } from "../../database/errors/database-fault.ts";
import type { Worded } from "../../plugin-host/errors.ts";

/** One message for an error of the database or of the connection to it; never with values of the row. */
export function databaseWording(error: unknown): Worded | undefined {
  // As the database states it: runs of the engine look for the code that it begins with.
  if (error instanceof pg.DatabaseError && databaseFault(error)?.kind === "stated") return { message: error.message };
  return explainDatabaseError(error);
}
