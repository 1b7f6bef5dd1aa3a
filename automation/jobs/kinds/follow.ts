/**
 * Freezing and resuming. The row is as it is to be already, by whoever asked; the dispatch Worker forgets what it knew and has the
 * tenant's Worker end what is open. A frozen tenant that is awake is left to fall asleep by its own timer, and one that sleeps is not
 * woken: while it is frozen nothing starts its gateway.
 */
import { isAtGeneration } from "#database/work/jobs.ts";
import { TaskError } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";

const follow = (name: string, frozen: boolean): JobKind => ({
  name,
  async run(job, { dispatch }, { db, signal }) {
    // Whatever was begun since tells the dispatch Worker by itself; who is connected by then stays so.
    if (!(await isAtGeneration(db, job, { frozen }))) {
      throw new JobOvertaken("Another operation on the instance has begun since, or it is gone.");
    }
    if ((await dispatch.invalidate(job.slug, signal)) === "failed") {
      throw new TaskError("The tenant's Worker did not take the order to end what is open.");
    }
  },
});

export const freeze: JobKind = follow("freeze", true);
export const resume: JobKind = follow("resume", false);
