/** How a job fails for good: first what that means for what it was about, then its row, so that whoever is killed in between does it again. */
import { endJob, type Job, lastFault } from "#database/work/jobs.ts";
import { type Run, reasonOf } from "../task.ts";
import { jobKinds } from "./kinds.ts";

const LATE = "It had not ended by its deadline. What is done already is found done when it is asked for again.";

/** @param cause why, and what to do */
export async function failJob(job: Job, cause: string, run: Run): Promise<void> {
  await jobKinds.get(job.kind)?.failed?.(job, cause, run);
  await endJob(run.db, job.id, "failed", cause);
}

/** Fails a job whose time is over, and that nobody carries out any more. What hinders that is logged: others are not to wait for it. */
export async function failLate(job: Job, run: Run): Promise<void> {
  const told = { job: job.id, kind: job.kind, slug: job.slug };
  try {
    await failJob(job, await lateCause(job, run), run);
    run.log("warn", "job_late", told);
  } catch (error) {
    run.log("error", "job_late", { ...told, cause: reasonOf(error) });
  }
}

/** Why a job failed whose time is over, and what to do. @param fault what it came to. Default: what its last try before failed with */
export async function lateCause({ id, kind }: Job, { db }: Run, fault?: string): Promise<string> {
  const known = jobKinds.get(kind);
  if (known === undefined) {
    return `This release carries out no jobs of the kind '${kind}'. Change the stack's settings and run \`pulumi up\` instead.`;
  }
  const last = fault ?? (await lastFault(db, id));
  return `${known.late ?? LATE}${last === undefined ? "" : ` Its last try: ${last}`}`;
}
