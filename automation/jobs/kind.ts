import type { Job } from "#database/work/jobs.ts";
import type { Environment } from "#domain/environment.ts";
import type { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import type { AccountCapacity } from "../capacity/capacity.ts";
import type { AccessTokens } from "../outside/access-tokens.ts";
import type { BackupBuckets } from "../outside/backup-buckets.ts";
import type { ChannelVendors } from "../outside/channel-vendors.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import type { RemainingResources } from "../outside/remaining-resources.ts";
import type { TenantStacks } from "../stacks/tenant-stacks.ts";
import type { Run } from "../task.ts";

/** Services that erase clients. */
export interface ErasingServices {
  /** Parent domain of tenants' hosts. */
  domain: string;
  buckets: BackupBuckets;
  tokens: AccessTokens;
  remaining: RemainingResources;
}

/** Services that jobs use. */
export interface JobServices {
  environment: Environment;
  dispatch: DispatchWorker;
  /** Undefined if PLATFORM_STACK is not set. */
  stacks: TenantStacks | undefined;
  /** Undefined if PLATFORM_STACK is not set. */
  capacity: AccountCapacity | undefined;
  /** Undefined if PLATFORM_STACK is not set. */
  erasing: ErasingServices | undefined;
  /** Undefined if LIVE_URL is not set. */
  vendors: ChannelVendors | undefined;
}

type LateReason = "version_not_running_by_deadline" | "deletion_late" | "restore_late";

/** A kind of job: one file in `kinds/`, and a line in `kinds.ts`. */
export interface JobKind {
  /** As in `tenantry.jobs.kind`. */
  readonly name: string;
  /** Cause of a job that missed its deadline, followed by the last attempt's. Default: `job_late`. */
  readonly late?: (typeof jobErrors)[LateReason];
  /** Returns what the job waits for, as a sentence. It is asked again each minute. */
  waitsFor?(job: Job, run: Run, means: JobServices): Promise<string | undefined>;
  /** Also continues a killed attempt. @throws JobRefused, JobOvertaken; other errors are retried */
  run(job: Job, means: JobServices, run: Run): Promise<void>;
  /** Called when the job has failed and is not retried. @param cause why, and what to do */
  failed?(job: Job, cause: string, run: Run): Promise<void>;
}
