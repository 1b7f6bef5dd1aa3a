import { type Job, jobRequesters, jobUndoings } from "#workers/contracts/api/jobs.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { classes } from "#workers/dashboard/ui/kit/classes.ts";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { unaskedJobs } from "./job-names.ts";

/** Why a job did not succeed, and the way on. */
export function JobCause({ job }: { job: Job }) {
  const { status, cause } = job;
  const remedy = useRemedy(job);
  if (cause === null && remedy === undefined) return null;
  const isBad = status === "failed";
  return (
    <section
      aria-label={isBad ? "Why it failed" : "What there is to know"}
      className={classes("rounded-lg px-4 py-3", isBad ? "bg-bad-soft text-bad" : "bg-sunken text-soft")}
    >
      {cause === null ? null : <p className="break-words">{cause}</p>}
      {remedy === undefined ? null : <p className="mt-1">{remedy}</p>}
    </section>
  );
}

function useRemedy({ kind, status, followed_by, instance_id }: Job) {
  const { user } = useViewer();
  const undoing = jobUndoings[kind];
  if (status === "queued" && undoing !== undefined) return `It cannot be cancelled. ${undoing}`;
  if (status !== "failed" && status !== "cancelled") return undefined;
  if (followed_by !== null) {
    return (
      <>
        It was asked for again since: see <TextLink to={jobAddress(followed_by)}>the later job</TextLink>.
      </>
    );
  }
  if (unaskedJobs[kind] !== undefined) return unaskedJobs[kind];
  if (instance_id === null) return "The instance that it was about is gone, so that there is nothing to repeat.";
  if (!jobRequesters[kind].includes(user.role)) return "Platform roots alone may ask for it again: ask one of them.";
  return status === "failed" ? "When what it tells of is mended, retry it: it goes on from what is made." : undefined;
}
