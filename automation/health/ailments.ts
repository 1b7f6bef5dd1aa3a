import { withTimeout } from "@tenantry/std/within";
import type { Kysely } from "kysely";
import { pingDatabase } from "#database/connection/ping.ts";
import type { DB } from "#database/types.ts";

const ANSWER_MS = 3_000;

/** Returns the faults of the service, one sentence each. @param pulses whether the workers of each kind poll for work */
export async function ailmentsOf(db: Kysely<DB>, pulses: readonly (() => boolean)[]): Promise<string[]> {
  const found: string[] = [];
  const asked = pingDatabase(db).then(
    () => true,
    () => false,
  );
  if (!(await withTimeout(ANSWER_MS, asked))) found.push("The database does not respond.");
  if (!pulses.every((isAlive) => isAlive())) found.push("The workers do not poll the queue.");
  return found;
}
