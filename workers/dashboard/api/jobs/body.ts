import * as z from "zod";
import type { ListedJob } from "#database/work/job-list.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { job } from "#domain/entities/job.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";

/** The payload of a job that a rollout requested. */
const rolloutPayload = z.object({ rollout: z.uuid() });

export const withRollout = (row: ListedJob) => ({
  ...row,
  rollout_id: rolloutPayload.safeParse(row.payload).data?.rollout ?? null,
});

/** A job as the API shows it. */
export const jobBody = (row: ListedJob): Job => bodyOf(job, withRollout(row));
