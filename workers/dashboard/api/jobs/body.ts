import * as z from "zod";
import type { ListedJob } from "#database/work/job-list.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";

/** The payload of a job that a roll-out asked for. */
const ofRollout = z.object({ rollout: z.uuid() });

/** A job as the API shows it. */
export function jobBody(job: ListedJob): Job {
  return {
    id: job.id,
    kind: job.kind,
    status: job.status,
    client_id: job.clientId,
    instance_id: job.instanceId,
    slug: job.slug,
    generation: job.generation,
    rollout_id: ofRollout.safeParse(job.payload).data?.rollout ?? null,
    cause: job.cause,
    attempts: job.attempts,
    progress: job.progress,
    requested_by: job.requestedBy,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    ended_at: job.endedAt?.toISOString() ?? null,
    deadline: job.deadline.toISOString(),
    followed_by: job.followedBy,
  };
}
