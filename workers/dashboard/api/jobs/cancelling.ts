/** Cancelling: a job that nobody has begun, with what its request had already changed. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { DB } from "../../../../database/types.ts";
import { cancelJob, type ListedJob } from "../../../../database/work/job-list.ts";
import { plans } from "../../../../domain/plan.ts";
import { jobUndoings } from "../../../contracts/api/jobs.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";

/** The payload of `change_plan`. */
export const planChange = z.object({ from: z.enum(plans), to: z.enum(plans) });

/** @throws Failure `conflict` for one that cannot be, or that has begun */
export async function cancel(db: Kysely<DB>, job: ListedJob, { email }: Caller): Promise<void> {
  const instead = jobUndoings[job.kind];
  if (instead !== undefined) throw new Failure("conflict", `A job of this kind cannot be cancelled. ${instead}`);
  if (!(await cancelJob(db, job.id))) {
    throw new Failure("conflict", "The job is queued no more: what has begun runs to its end.");
  }
  if (job.kind === "provision" && job.instanceId !== null && job.generation !== null) {
    await db
      .updateTable("tenantry.instances")
      .set({
        status: "error",
        state_cause: `Its provisioning was cancelled by ${email}; create the instance again to go on.`,
      })
      .where("id", "=", job.instanceId)
      .where("status", "=", "provisioning")
      .where("generation", "=", String(job.generation))
      .execute();
  }
  const change = job.kind === "change_plan" ? planChange.safeParse(job.payload).data : undefined;
  if (change !== undefined && job.clientId !== null) {
    await db
      .updateTable("tenantry.clients")
      .set({ billing_plan: change.from })
      .where("id", "=", job.clientId)
      .where("billing_plan", "=", change.to)
      .execute();
  }
}
