/** A kind of job: one file in `kinds/`, and a line in `kinds.ts`. */
import type { Job } from "#database/work/jobs.ts";
import type { Environment } from "#domain/environment.ts";
import type { AccountCapacity } from "../capacity/capacity.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import type { TenantStacks } from "../stacks/tenant-stacks.ts";
import type { Run } from "../task.ts";

/** What jobs are carried out with. */
export interface Means {
  environment: Environment;
  dispatch: DispatchWorker;
  /** Undefined where the service is not told of the platform's stack. */
  stacks: TenantStacks | undefined;
  /** Undefined likewise. */
  capacity: AccountCapacity | undefined;
}

export interface JobKind {
  /** As in `tenantry.jobs.kind`. */
  readonly name: string;
  /** What a job that has not ended by its deadline is told to have failed for, before what its last try came to; default: a sentence for all kinds. */
  readonly late?: string;
  /** What has to come first, in a sentence that says who does it: until then the job waits, and is looked at again each minute. */
  waitsFor?(job: Job, run: Run, means: Means): Promise<string | undefined>;
  /**
   * Carries it out. It may have been begun before, by a process that was killed: what is done already is found done.
   *
   * @throws JobRefused when trying again is of no use, JobOvertaken when there is nothing to do any more; anything else is tried again
   */
  run(job: Job, means: Means, run: Run): Promise<void>;
  /** What its failure for good means for what it was about, whether it was refused, was tried for the last time, or was late. @param cause why, and what to do */
  failed?(job: Job, cause: string, run: Run): Promise<void>;
}
