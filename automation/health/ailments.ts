/** What ails the service. */
import type { Kysely } from "kysely";
import { ping } from "#database/connection/ping.ts";
import type { DB } from "#database/types.ts";
import type { Pulse } from "../worker/pulse.ts";

/** How long the database may take to answer, in milliseconds. */
const ANSWER_MS = 3_000;

export async function ailmentsOf(db: Kysely<DB>, pulses: readonly Pulse[]): Promise<string[]> {
  const found: string[] = [];
  if (!(await answers(db))) found.push("The database does not answer.");
  if (!pulses.every(({ isAlive }) => isAlive)) found.push("The workers do not look for work.");
  return found;
}

async function answers(db: Kysely<DB>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_MS);
  });
  const asked = ping(db).then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answered;
}
