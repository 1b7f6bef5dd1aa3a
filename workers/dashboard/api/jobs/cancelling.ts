/** Cancelling: a job that nobody has begun, with what its request had already changed; a plan is put back by the database. */
import type { Kysely } from "kysely";
import { changeStatus } from "#database/tenants/transitions.ts";
import type { DB } from "#database/types.ts";
import { cancelJob, type ListedJob } from "#database/work/job-list.ts";
import { jobRequesters, jobUndoings } from "#workers/contracts/api/jobs.ts";
import { inTransaction } from "../../http/connection.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { withRollout } from "./body.ts";

/** @throws Failure `conflict` for one that cannot be, or that has begun; `forbidden` for whom its kind is not */
export async function cancel(db: Kysely<DB>, job: ListedJob, { email, role }: Caller): Promise<void> {
  const instead = jobUndoings[job.kind];
  if (instead !== undefined) throw new Failure("conflict", `A job of this kind cannot be cancelled. ${instead}`);
  if (jobRequesters[job.kind].length === 0) {
    throw new Failure("conflict", "The automation service asked for this job, and has it carried out when it is time.");
  }
  if (!jobRequesters[job.kind].includes(role)) {
    throw new Failure("forbidden", "Platform roots alone may cancel a job of this kind; ask one of them.");
  }
  if (withRollout(job).rollout_id !== null) {
    throw new Failure("conflict", "The job belongs to a roll-out: pause or stop that instead.");
  }
  if (!(await cancelJob(db, job.id))) {
    throw new Failure("conflict", "The job is queued no more: what has begun runs to its end.");
  }
  if (job.kind === "provision" && job.instance_id !== null && job.generation !== null) {
    await changeStatus(inTransaction(db), {
      instance: { id: job.instance_id, generation: job.generation },
      cause: "provisioning cancelled",
      stateCause: `Its provisioning was cancelled by ${email}; create the instance again to go on.`,
    });
  }
}
