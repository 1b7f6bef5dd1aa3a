import type { ListedJob } from "../../../../database/work/job-list.ts";
import type { Job } from "../../../contracts/api/jobs.ts";

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
