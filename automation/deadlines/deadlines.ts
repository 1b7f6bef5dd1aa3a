import * as z from "zod";
import { requestDeletions } from "#database/tenants/deletion/deletion.ts";
import { deleteExpired, failLateInstances, type Retention } from "#database/work/deadlines.ts";
import { listLateJobs, listOpenJobs } from "#database/work/jobs.ts";
import { giveUpMails } from "#database/work/mails.ts";
import { deleteFailedJobs, requestWork } from "#database/work/queue-state.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { failLate } from "../jobs/failing.ts";
import { jobKinds } from "../jobs/kinds.ts";
import { defineTask, type Run, type Task } from "../task.ts";

const KEEP: Retention = {
  idempotencyKeysHours: 24,
  eventsDays: 30,
  jobsDays: 90,
  mailsDays: 90,
  incidentsDays: 400,
  notificationsDays: 400,
  unsubscribesDays: 400,
};
/** The queue retries a mail for about 16 hours; older ones belong to a killed process. */
const MAIL_HOURS = 24;
const FAILED_WORK_DAYS = 7;

const LATE_INSTANCE = errorText(jobErrors.provisioning_late);

/** Ends instances, jobs and mails past their deadline, and deletes old records. */
export function deadlinesTask(schema: string): Task {
  return defineTask("deadlines", z.unknown(), async (_payload, run) => {
    const { db, log } = run;
    for (const slug of await failLateInstances(db, LATE_INSTANCE)) log("warn", "instance_late", { slug });
    for (const job of await listLateJobs(db)) await failLate(job, run);
    for (const slug of await requestDeletions(db)) log("info", "deletion_asked_for", { slug });
    await requeueJobs(schema, run);
    const mails = await giveUpMails(db, MAIL_HOURS);
    if (mails > 0) log("warn", "mails_given_up", { mails });
    const forgotten = {
      ...(await deleteExpired(db, KEEP)),
      work: await deleteFailedJobs(db, schema, FAILED_WORK_DAYS),
    };
    if (Object.values(forgotten).some((rows) => rows > 0)) log("info", "forgotten", forgotten);
  });
}

/** Queues open jobs that an earlier release or a killed process removed from the queue. */
async function requeueJobs(schema: string, { db, log }: Run): Promise<void> {
  for (const { id, slug, task: of, priority } of await listOpenJobs(db, [...jobKinds.keys()])) {
    const work = { task: of, payload: { id }, key: `job:${id}`, queue: `tenant:${slug}`, priority };
    if (await requestWork(db, schema, work)) log("info", "job_asked_again", { job: id });
  }
}
