import { type Job, jobRequesters, jobUndoings } from "#workers/contracts/api/jobs.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { classes } from "#workers/dashboard/ui/kit/classes.ts";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { retryHints } from "./job-names.ts";

export function JobCause({ job }: { job: Job }) {
  const { status, cause } = job;
  const remedy = useRemedy(job);
  if (cause === null && remedy === undefined) return null;
  const hasFailed = status === "failed";
  return (
    <section
      aria-label={hasFailed ? "Cause of failure" : "Details"}
      className={classes("rounded-lg px-4 py-3", hasFailed ? "bg-bad-soft text-bad" : "bg-sunken text-soft")}
    >
      {cause === null ? null : <p className="break-words">{cause}</p>}
      {remedy === undefined ? null : <p className="mt-1">{remedy}</p>}
    </section>
  );
}

function useRemedy({ kind, status, followed_by, instance_id }: Job) {
  const { user } = useViewer();
  const undoing = jobUndoings[kind];
  if (status === "queued" && undoing !== undefined) return `The job cannot be cancelled. ${undoing}`;
  if (status !== "failed" && status !== "cancelled") return undefined;
  if (followed_by !== null) {
    return (
      <>
        The job was retried: see <TextLink to={jobAddress(followed_by)}>the later job</TextLink>.
      </>
    );
  }
  if (retryHints[kind] !== undefined) return retryHints[kind];
  if (instance_id === null) return "The instance no longer exists, so the job cannot be retried.";
  if (!jobRequesters[kind].includes(user.role)) return "Only platform roots can retry this job. Ask one of them.";
  return status === "failed" ? "Fix the cause, then retry the job. It continues with what exists." : undefined;
}
