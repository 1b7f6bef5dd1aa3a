/** A kind of job: one file in `kinds/`, and a line in `kinds.ts`. */
import type { Job } from "../../database/work/jobs.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import type { Run } from "../task.ts";

/** What jobs are carried out with. */
export interface Means {
  dispatch: DispatchWorker;
}

export interface JobKind {
  /** As in `tenantry.jobs.kind`. */
  readonly name: string;
  /** What a job that is past its deadline is told to have failed for; default: a sentence for all kinds. */
  readonly late?: string;
  /** What has to come first, in a sentence that says who does it: until then the job waits, and is looked at again each minute. */
  waitsFor?(job: Job, run: Run): Promise<string | undefined>;
  /**
   * Carries it out. It may have been begun before, by a process that was killed: what is done already is found done.
   *
   * @throws JobRefused when trying again is of no use, JobOvertaken when there is nothing to do any more; anything else is tried again
   */
  run(job: Job, means: Means, run: Run): Promise<void>;
}

/** Why a job can never be done: what it fails with, and what to do, in a sentence each. */
export class JobRefused extends Error {
  override name = "JobRefused";
}

/** Why nothing is to be done any more: what the job is cancelled with, in a sentence. */
export class JobOvertaken extends Error {
  override name = "JobOvertaken";
}
