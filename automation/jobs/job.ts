/** Carries out one job. */
import * as z from "zod";
import { beginJob, endJob, findOpenJob, type Job, noteJob, noteJobOnce } from "../../database/work/jobs.ts";
import { causeOf, type Run, type Task, task } from "../task.ts";
import { type JobKind, JobOvertaken, JobRefused, type Means } from "./kind.ts";
import { jobKinds } from "./kinds.ts";

const payload = z.object({ id: z.uuid() });

/** What a job waits for whose kind this release does not carry out. It ends with its deadline at the latest. */
const WAITING = "This release of the automation service does not carry out such jobs; it waits for one that does.";

export function jobTask(means: Means): Task {
  return task("job", payload, async ({ id }, run) => {
    const job = await findOpenJob(run.db, id);
    if (job === undefined) return;
    const kind = jobKinds.get(job.kind);
    const waitsFor = kind === undefined ? WAITING : await kind.waitsFor?.(job, run);
    if (kind !== undefined && waitsFor === undefined) return carryOut(job, kind, means, run);
    if (await noteJobOnce(run.db, id, "waiting", waitsFor ?? WAITING)) {
      run.log("warn", "job_waits", { job: id, kind: job.kind });
    }
  });
}

async function carryOut(job: Job, kind: JobKind, means: Means, run: Run): Promise<void> {
  const attempt = await beginJob(run.db, job.id);
  if (attempt === undefined) return;
  const told = { job: job.id, kind: kind.name, slug: job.slug, attempt };
  run.log("info", "job_started", told);
  try {
    await kind.run(job, means, run);
  } catch (error) {
    const cause = causeOf(error);
    if (error instanceof JobOvertaken) {
      await endJob(run.db, job.id, "cancelled", cause);
      run.log("info", "job_overtaken", { ...told, cause });
      return;
    }
    const isFinal = run.isLast || error instanceof JobRefused;
    run.log("warn", "job_failed", { ...told, cause, final: isFinal });
    if (!isFinal) {
      await noteJob(run.db, job.id, "retried", cause, { attempt });
      throw error;
    }
    await endJob(run.db, job.id, "failed", cause);
    return;
  }
  await endJob(run.db, job.id, "succeeded");
  run.log("info", "job_succeeded", told);
}
