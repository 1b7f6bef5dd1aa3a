import type { Kysely } from "kysely";
import { changeStatus } from "#database/tenants/transitions.ts";
import type { DB } from "#database/types.ts";
import { cancelJob, type ListedJob } from "#database/work/job-list.ts";
import { jobRequesters, jobUndoings } from "#workers/contracts/api/jobs.ts";
import { inTransaction } from "../../http/connection.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { withRollout } from "./body.ts";

/**
 * Cancels a queued job and reverts what its request changed; the database reverts a plan.
 *
 * @throws Failure `conflict` for a job that runs or cannot be cancelled; `forbidden` without the role
 */
export async function cancel(db: Kysely<DB>, job: ListedJob, { email, role }: Caller): Promise<void> {
  const remedy = jobUndoings[job.kind];
  if (remedy !== undefined) throw new Failure("conflict", `A job of this kind cannot be cancelled. ${remedy}`);
  if (jobRequesters[job.kind].length === 0) {
    throw new Failure("conflict", "The automation service requested this job. Users cannot cancel it.");
  }
  if (!jobRequesters[job.kind].includes(role)) {
    throw new Failure("forbidden", "Only a platform root can cancel a job of this kind. Ask one of them.");
  }
  if (withRollout(job).rollout_id !== null) {
    throw new Failure("conflict", "The job belongs to a rollout. Pause or stop the rollout instead.");
  }
  if (!(await cancelJob(db, job.id))) {
    throw new Failure("conflict", "The job is no longer queued. A running job cannot be cancelled.");
  }
  if (job.kind === "provision" && job.instance_id !== null && job.generation !== null) {
    await changeStatus(inTransaction(db), {
      instance: { id: job.instance_id, generation: job.generation },
      cause: "provisioning cancelled",
      stateCause: `Provisioning was cancelled by ${email}. Create the instance again to continue.`,
    });
  }
}
