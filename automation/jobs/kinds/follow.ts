/** The row was changed with the request. A frozen tenant that is awake falls asleep by its own timer. */
import { isAtGeneration } from "#database/work/jobs.ts";
import { TaskError } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";

const defineFollowUpJob = (name: string, frozen: boolean): JobKind => ({
  name,
  async run(job, { dispatch }, { db, signal }) {
    // A newer operation invalidates by itself; connections that it allows stay open.
    if (!(await isAtGeneration(db, job, { frozen }))) {
      throw new JobOvertaken("Another operation on the instance has begun, or it was deleted.");
    }
    if ((await dispatch.invalidate(job.slug, signal)) === "failed") {
      throw new TaskError("The tenant's Worker failed to close its connections.");
    }
  },
});

export const freeze: JobKind = defineFollowUpJob("freeze", true);
export const resume: JobKind = defineFollowUpJob("resume", false);
