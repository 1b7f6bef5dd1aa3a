import type { Kysely } from "kysely";
import { changeStatus } from "#database/tenants/transitions.ts";
import type { DB } from "#database/types.ts";
import { cancelJob, type ListedJob } from "#database/work/job-list.ts";
import type { JobKind } from "#domain/entities/job.ts";
import { jobErrors } from "#domain/errors/api/jobs.ts";
import type { HttpError } from "#domain/errors/stated.ts";
import { jobRequesters } from "#workers/contracts/api/jobs.ts";
import { inTransaction } from "../../http/connection.ts";
import { failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { withPayload } from "./body.ts";

/** Jobs whose change is in effect before they run. */
const NOT_CANCELLABLE: Readonly<Partial<Record<JobKind, HttpError>>> = {
  freeze: jobErrors.freeze_job_not_cancellable,
  resume: jobErrors.resume_job_not_cancellable,
  delete_client: jobErrors.deletion_job_not_cancellable,
  deprovision: jobErrors.removal_job_not_cancellable,
  invalidate: jobErrors.push_job_not_cancellable,
  push_channels: jobErrors.push_job_not_cancellable,
  push_provider_keys: jobErrors.push_job_not_cancellable,
  push_egress: jobErrors.push_job_not_cancellable,
};

/**
 * Cancels a queued job and reverts what its request changed; the database reverts a plan.
 *
 * @throws Failure `conflict` for a job that runs or cannot be cancelled; `forbidden` without the role
 */
export async function cancel(db: Kysely<DB>, job: ListedJob, { email, role, tenant }: Caller): Promise<void> {
  const isInEffect = NOT_CANCELLABLE[job.kind];
  if (isInEffect !== undefined) throw failure(isInEffect);
  if (jobRequesters[job.kind].length === 0) {
    throw failure(jobErrors.job_of_service_not_cancellable);
  }
  if (!jobRequesters[job.kind].includes(role)) {
    throw failure(jobErrors.job_cancel_requires_root);
  }
  if (tenant !== undefined && !tenant.admins.includes(job.requested_by)) throw failure(jobErrors.job_of_operator);
  if (withPayload(job).rollout_id !== null) {
    throw failure(jobErrors.job_of_rollout);
  }
  if (!(await cancelJob(db, job.id))) {
    throw failure(jobErrors.job_not_queued);
  }
  if (job.kind === "provision" && job.instance_id !== null && job.generation !== null) {
    await changeStatus(inTransaction(db), {
      instance: { id: job.instance_id, generation: job.generation },
      cause: "provisioning cancelled",
      stateCause: `Provisioning was cancelled by ${email}. Create the instance again to continue.`,
    });
  }
}
