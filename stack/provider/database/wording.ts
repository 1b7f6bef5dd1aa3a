import type { ErrorMessage } from "@tenantry/plugin-host";
import pg from "pg";
import { databaseFault, explainDatabaseError } from "#database/errors/database-fault.ts";

/** The engine's runs match these codes (`isSlotTaken`). */
const NAMED = /^no_\w+_capacity: /;

export function databaseWording(error: unknown): ErrorMessage | undefined {
  if (error instanceof pg.DatabaseError && databaseFault(error)?.kind === "stated" && NAMED.test(error.message)) {
    return { message: `${error.message}.` };
  }
  return explainDatabaseError(error);
}
