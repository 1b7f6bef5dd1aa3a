import type { Job } from "#workers/contracts/api/jobs.ts";
import { JobBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";

/** A job's state, and how far it is while it runs. */
export const JobStatus = ({ job: { status, progress } }: { job: Pick<Job, "status" | "progress"> }) => (
  <span className="flex items-center gap-2">
    <JobBadge state={status} />
    {status === "running" && progress > 0 ? (
      <span className="text-xs text-quiet tabular-nums">{progress} %</span>
    ) : null}
  </span>
);
