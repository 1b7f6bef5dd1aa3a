import type { Worded } from "@tenantry/plugin-host";
import pg from "pg";
import { databaseFault, explainDatabaseError } from "#database/errors/database-fault.ts";

/** Runs of the engine look for these codes (`isSlotTaken`). */
const NAMED = /^no_\w+_capacity: /;

/** One message for an error of the database or of the connection to it; never with values of the row. */
export function databaseWording(error: unknown): Worded | undefined {
  if (error instanceof pg.DatabaseError && databaseFault(error)?.kind === "stated" && NAMED.test(error.message)) {
    return { message: `${error.message}.` };
  }
  return explainDatabaseError(error);
}
