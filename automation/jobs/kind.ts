import type { Job } from "#database/work/jobs.ts";
import type { Environment } from "#domain/environment.ts";
import type { AccountCapacity } from "../capacity/capacity.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import type { TenantStacks } from "../stacks/tenant-stacks.ts";
import type { Run } from "../task.ts";

/** Services that jobs use. */
export interface JobServices {
  environment: Environment;
  dispatch: DispatchWorker;
  /** Undefined if PLATFORM_STACK is not set. */
  stacks: TenantStacks | undefined;
  /** Undefined if PLATFORM_STACK is not set. */
  capacity: AccountCapacity | undefined;
}

/** A kind of job: one file in `kinds/`, and a line in `kinds.ts`. */
export interface JobKind {
  /** As in `tenantry.jobs.kind`. */
  readonly name: string;
  /** Cause of a job that missed its deadline, followed by the last attempt's. Default: a sentence for all kinds. */
  readonly late?: string;
  /** Returns what the job waits for, as a sentence. It is asked again each minute. */
  waitsFor?(job: Job, run: Run, means: JobServices): Promise<string | undefined>;
  /** Also continues a killed attempt. @throws JobRefused, JobOvertaken; other errors are retried */
  run(job: Job, means: JobServices, run: Run): Promise<void>;
  /** Called when the job has failed and is not retried. @param cause why, and what to do */
  failed?(job: Job, cause: string, run: Run): Promise<void>;
}
