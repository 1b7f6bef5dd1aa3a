import { endJob, findLastJobError, type Job } from "#database/work/jobs.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { type Run, reasonOf } from "../task.ts";
import { jobKinds } from "./kinds.ts";

/** Fails a job. Its effects come before its row, so that a killed process repeats both. @param cause why, and what to do */
export async function failJob(job: Job, cause: string, run: Run): Promise<void> {
  await jobKinds.get(job.kind)?.failed?.(job, cause, run);
  await endJob(run.db, job.id, "failed", cause);
}

/** Fails a job past its deadline that no process carries out. Logs an error instead of throwing it, so that other jobs continue. */
export async function failLate(job: Job, run: Run): Promise<void> {
  const fields = { job: job.id, kind: job.kind, slug: job.slug };
  try {
    await failJob(job, await lateCause(job, run), run);
    run.log("warn", "job_late", fields);
  } catch (error) {
    run.log("error", "job_late", { ...fields, cause: reasonOf(error) });
  }
}

/** Returns the cause of a job that missed its deadline. @param fault of the last attempt. Default: the recorded one */
export async function lateCause({ id, kind }: Job, { db }: Run, fault?: string): Promise<string> {
  const known = jobKinds.get(kind);
  if (known === undefined) {
    return errorText(jobErrors.job_kind_unknown, { kind });
  }
  const last = fault ?? (await findLastJobError(db, id));
  return `${errorText(known.late ?? jobErrors.job_late)}${last === undefined ? "" : ` Last attempt: ${last}`}`;
}
