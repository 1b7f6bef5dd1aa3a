/** Demo data that could not be added: a warning, since the platform works without it. */
import { join } from "node:path";
import { databaseFault } from "../../../database/errors/database-fault.ts";
import { fileLog } from "../../log.ts";

/** Log of `npm start`, in the state directory. */
const LOG_FILE = "start.log";

/** Demo data that could not be added, and why. */
export interface DemoFailure {
  what: string;
  error: unknown;
}

/** A warning for each failure. The details go to the log. @param directory the state directory */
export function demoWarnings(failures: readonly DemoFailure[], directory: string): string[] {
  if (failures.length === 0) return [];
  const { log, close } = fileLog(join(directory, LOG_FILE));
  try {
    return failures.map(({ what, error }) => {
      log("demo-data", "failed", { what, reason: error instanceof Error ? error.message : String(error) });
      const why = databaseFault(error)?.message ?? "";
      return `WARNING: Failed to add demo data for ${what}. ${why} The platform works without it, and the next start tries again. Details: ${join(directory, LOG_FILE)}`;
    });
  } finally {
    close();
  }
}
