import * as z from "zod";
import { advanceCreditStates, type Swept } from "#database/billing/credit-steps.ts";
import { defineTask, type Task } from "../task.ts";

/** Advances the states of clients whose credit is used up or available again. */
export const advanceCreditsTask: Task = defineTask(
  "advance_credits",
  z.unknown(),
  async (_payload, { db, log, signal }) => {
    const at = new Date();
    let swept: Swept | undefined;
    let steps = 0;
    do {
      const after: string | undefined = swept?.last;
      swept = await db
        .transaction()
        .execute((tx) => advanceCreditStates(tx, { at, ...(after !== undefined && { after }) }));
      steps += swept.steps.length;
    } while (swept.last !== undefined && !signal.aborted);
    if (steps > 0) log("info", "credits_advanced", { steps });
  },
);
