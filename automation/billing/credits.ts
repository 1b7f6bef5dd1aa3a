/** Carries credit that is used up, or there again, from state to state. */
import * as z from "zod";
import { advanceCredits, type Swept } from "#database/billing/credit-steps.ts";
import { type Task, task } from "../task.ts";

export const advanceCreditsTask: Task = task("advance_credits", z.unknown(), async (_payload, { db, log, signal }) => {
  const at = new Date();
  let [after, steps]: [string | undefined, number] = [undefined, 0];
  do {
    const from: string | undefined = after;
    const swept: Swept = await db
      .transaction()
      .execute((tx) => advanceCredits(tx, { at, ...(from !== undefined && { after: from }) }));
    steps += swept.steps.length;
    after = swept.last;
  } while (after !== undefined && !signal.aborted);
  if (steps > 0) log("info", "credits_advanced", { steps });
});
