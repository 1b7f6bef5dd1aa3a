import * as z from "zod";
import type { ListedJob } from "#database/work/job-list.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { job } from "#domain/entities/job.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";

/** The payload of a job that a rollout requested. */
const rolloutPayload = z.object({ rollout: z.uuid() });

const restorePayload = z.object({ backup_id: z.string() });

/** With what its payload names. */
export const withPayload = (row: ListedJob) => ({
  ...row,
  rollout_id: rolloutPayload.safeParse(row.payload).data?.rollout ?? null,
  backup_id: restorePayload.safeParse(row.payload).data?.backup_id ?? null,
});

/** A job as the API shows it. */
export const jobBody = (row: ListedJob): Job => bodyOf(job, withPayload(row));
