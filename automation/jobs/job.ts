import { hostname } from "node:os";
import * as z from "zod";
import { addJobEvent, addJobEventOnce, beginJob, endJob, findOpenJob, type Job } from "#database/work/jobs.ts";
import { causeOf, defineTask, type Run, type Task } from "../task.ts";
import { failJob, lateCause } from "./failing.ts";
import type { JobKind, JobServices } from "./kind.ts";
import { jobKinds } from "./kinds.ts";
import { JobOvertaken, JobRefused } from "./refusals.ts";

const payload = z.object({ id: z.uuid() });

/** Maximum delay of a timer: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** The job ends at its deadline at the latest. */
const WAITING =
  "This release of the automation service has no jobs of this kind. The job waits for a release that has.";

/** Carries out one job. @param name `job`, or `operation` for jobs that run the engine */
export function jobTask(name: "job" | "operation", means: JobServices): Task {
  return defineTask(name, payload, async ({ id }, run) => {
    const job = await findOpenJob(run.db, id);
    if (job === undefined) return;
    const kind = jobKinds.get(job.kind);
    const waitsFor = kind === undefined ? WAITING : await kind.waitsFor?.(job, run, means);
    if (kind !== undefined && waitsFor === undefined) return carryOut(job, kind, means, run);
    if (await addJobEventOnce(run.db, id, "waiting", waitsFor ?? WAITING)) {
      run.log("warn", "job_waits", { job: id, kind: job.kind });
    }
  });
}

async function carryOut(job: Job, kind: JobKind, means: JobServices, run: Run): Promise<void> {
  const attempt = await beginJob(run.db, job.id, hostname());
  if (attempt === undefined) return;
  const fields = { job: job.id, kind: kind.name, slug: job.slug, attempt };
  run.log("info", "job_started", fields);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.min(job.msLeft, LONGEST_MS));
  try {
    await kind.run(job, means, { ...run, signal: AbortSignal.any([run.signal, deadline.signal]) });
  } catch (error) {
    if (error instanceof JobOvertaken) {
      const cause = causeOf(error, run.log);
      await endJob(run.db, job.id, "cancelled", cause);
      run.log("info", "job_overtaken", { ...fields, cause });
      return;
    }
    const isRefused = error instanceof JobRefused;
    const isLate = deadline.signal.aborted;
    const cause = isLate ? await lateCause(job, run, isRefused ? error.message : undefined) : causeOf(error, run.log);
    // A job that the end of the service interrupts is continued by the next process.
    const isFinal = isLate || (!run.signal.aborted && (run.isLast || isRefused));
    run.log("warn", "job_failed", { ...fields, cause, final: isFinal });
    if (!isFinal) {
      await addJobEvent(run.db, job.id, "retried", cause, { attempt });
      throw error;
    }
    await failJob(job, cause, run);
    return;
  } finally {
    clearTimeout(timer);
  }
  await endJob(run.db, job.id, "succeeded");
  run.log("info", "job_succeeded", fields);
}
