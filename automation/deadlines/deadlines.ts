/** Ends what has lasted too long, and forgets what is old, each minute. Invitations that expire stay `invited`: their link holds no more. */
import * as z from "zod";
import { askForDeletions } from "#database/tenants/deletion.ts";
import { failLateInstances, forgetOld, type Keeping } from "#database/work/deadlines.ts";
import { listLateJobs, listOpenJobs } from "#database/work/jobs.ts";
import { giveUpMails } from "#database/work/mails.ts";
import { forgetFailedWork, requestWork } from "#database/work/queue-state.ts";
import { failLate } from "../jobs/failing.ts";
import { jobKinds } from "../jobs/kinds.ts";
import { type Run, type Task, task } from "../task.ts";

const KEEP: Keeping = { idempotencyKeysHours: 24, eventsDays: 30, jobsDays: 90, mailsDays: 90, incidentsDays: 400 };
/** The queue tries a mail for some 16 hours; what is older was killed at its last try. */
const MAIL_HOURS = 24;
/** For how long the queue tells of what was given up. */
const FAILED_WORK_DAYS = 7;

const LATE_INSTANCE =
  "It was still being provisioned at its deadline. Ask for the operation again, or run `pulumi up` of the stack that declares it.";

/** @param schema of the queue */
export function deadlinesTask(schema: string): Task {
  return task("deadlines", z.unknown(), async (_payload, run) => {
    const { db, log } = run;
    for (const slug of await failLateInstances(db, LATE_INSTANCE)) log("warn", "instance_late", { slug });
    for (const job of await listLateJobs(db)) await failLate(job, run);
    for (const slug of await askForDeletions(db)) log("info", "deletion_asked_for", { slug });
    await askAgain(schema, run);
    const mails = await giveUpMails(db, MAIL_HOURS);
    if (mails > 0) log("warn", "mails_given_up", { mails });
    const forgotten = { ...(await forgetOld(db, KEEP)), work: await forgetFailedWork(db, schema, FAILED_WORK_DAYS) };
    if (Object.values(forgotten).some((rows) => rows > 0)) log("info", "forgotten", forgotten);
  });
}

/** Jobs that nothing in the queue stands for any more: a release before knew not their kind, or a process was killed at the last try. */
async function askAgain(schema: string, { db, log }: Run): Promise<void> {
  for (const { id, slug, task: of, priority } of await listOpenJobs(db, [...jobKinds.keys()])) {
    const work = { task: of, payload: { id }, key: `job:${id}`, queue: `tenant:${slug}`, priority };
    if (await requestWork(db, schema, work)) log("info", "job_asked_again", { job: id });
  }
}
