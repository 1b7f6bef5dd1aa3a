/** Operations on instances, from their request to their end; every query is the automation service's. */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { job } from "#domain/entities/job.ts";
import type { DB } from "../types.ts";
import { tellEvent } from "./events.ts";

const openJob = job.pick({ id: true, slug: true, client_id: true, instance_id: true }).extend({
  /** An open job may be of a kind that only another release knows. */
  kind: z.string(),
  /** Generation of the instance that the job is for. */
  generation: z.coerce.bigint().nullable(),
  payload: z.unknown(),
  /** Time that is left until its deadline, by the database's clock; negative when that is over. */
  msLeft: z.coerce.number(),
});
export type Job = z.infer<typeof openJob>;
export type JobEnd = "succeeded" | "failed" | "cancelled";

/** Whether a job that has not ended should have: whoever carries one out has some minutes from its deadline on to end it. */
export const isLate = sql<boolean>`deadline < now() - case status when 'running' then interval '5 minutes' else interval '0' end`;
/** Late jobs that one call lists. */
const BATCH = 100;

function selectOpen(db: Kysely<DB>) {
  return db
    .selectFrom("tenantry.jobs")
    .select(["id", "kind", "slug", "client_id", "instance_id", "generation", "payload"])
    .select(sql<string>`extract(epoch from deadline - now()) * 1000`.as("msLeft"))
    .where("ended_at", "is", null);
}

/** @returns `undefined` when it has ended, its time is over, or it is gone */
export async function findOpenJob(db: Kysely<DB>, id: string): Promise<Job | undefined> {
  const row = await selectOpen(db).where("id", "=", id).where("deadline", ">", sql<Date>`now()`).executeTakeFirst();
  return row && openJob.parse(row);
}

/** Jobs whose time is over, and that nobody ends who carries them out. */
export async function listLateJobs(db: Kysely<DB>): Promise<Job[]> {
  const rows = await selectOpen(db).where(isLate).orderBy("deadline").limit(BATCH).execute();
  return z.array(openJob).parse(rows);
}

/** Jobs that were asked for more than a minute ago and have not ended, of these kinds, each with the queue's task and priority for it. */
export async function listOpenJobs(
  db: Kysely<DB>,
  kinds: readonly string[],
): Promise<{ id: string; slug: string; task: string; priority: number }[]> {
  if (kinds.length === 0) return [];
  return db
    .selectFrom("tenantry.jobs")
    .select(["id", "slug", sql<string>`tenantry.task_of_job(kind)`.as("task")])
    .select(sql<number>`tenantry.priority_of_job(payload)`.as("priority"))
    .where("kind", "in", [...kinds])
    .where("ended_at", "is", null)
    .where("deadline", ">", sql<Date>`now()`)
    .where("created_at", "<", sql<Date>`now() - interval '1 minute'`)
    .orderBy("created_at")
    .execute();
}

/** Whether a job's instance is as the job has it: of its generation, where it has one, and frozen or not. */
export async function isAtGeneration(
  db: Kysely<DB>,
  { instance_id, generation }: Pick<Job, "instance_id" | "generation">,
  { frozen }: { frozen: boolean },
): Promise<boolean> {
  if (instance_id === null) return false;
  let query = db
    .selectFrom("tenantry.instances")
    .select("id")
    .where("id", "=", instance_id)
    .where("status", frozen ? "=" : "<>", "frozen");
  if (generation !== null) query = query.where("generation", "=", String(generation));
  return (await query.executeTakeFirst()) !== undefined;
}

/** Records that a try begins, and tells the dashboards. @param host where it does @returns its number from 1; `undefined` when the job has ended */
export async function beginJob(db: Kysely<DB>, id: string, host: string): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const begun = await transaction
      .updateTable("tenantry.jobs")
      .set({ status: "running", started_at: sql`coalesce(started_at, now())`, attempts: sql`attempts + 1` })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .returning(["kind", "slug", "client_id", "instance_id", "attempts"])
      .executeTakeFirst();
    if (begun === undefined) return undefined;
    const { attempts, client_id, ...about } = begun;
    await noteJob(transaction, id, "started", "", { attempt: attempts, host });
    await tellEvent(transaction, { client_id, kind: "job.started", data: { job_id: id, ...about, attempt: attempts } });
    return attempts;
  });
}

const engine = z.object({
  hostname: z.string(),
  pid: z.number().int(),
  at: z.date().transform((at) => at.toISOString()),
});

/** The engine's processes that a tenant's jobs have had, of the last days, with the time at which each was noted. */
export async function enginesOfJobs(db: Kysely<DB>, slug: string): Promise<z.infer<typeof engine>[]> {
  const { rows } = await sql`
    select e.data ->> 'host' as hostname, (e.data ->> 'pid')::integer as pid, e.at
    from tenantry.job_events e join tenantry.jobs j on j.id = e.job_id
    where j.slug = ${slug} and e.kind = 'engine' and j.created_at > now() - interval '30 days'
    order by e.id`.execute(db);
  return z.array(engine).parse(rows);
}

/** Adds a step to what is told of a job, and tells it to the dashboards. @param progress percent that is done */
export async function noteStep(
  db: Kysely<DB>,
  { id, slug, client_id, instance_id }: Pick<Job, "id" | "slug" | "client_id" | "instance_id">,
  { message, data, progress }: { message: string; data: Readonly<Record<string, string | number>>; progress: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable("tenantry.jobs").set({ progress }).where("id", "=", id).execute();
    await noteJob(transaction, id, "step", message, data);
    await tellEvent(transaction, {
      client_id,
      kind: "job.step",
      data: { job_id: id, slug, instance_id, message, progress, ...data },
    });
  });
}

/** Adds to what is told of a job. */
export async function noteJob(
  db: Kysely<DB> | Transaction<DB>,
  job_id: string,
  kind: string,
  message: string,
  data: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  await db.insertInto("tenantry.job_events").values({ job_id, kind, message, data }).execute();
}

/** Id of the backup that an earlier try of a job has noted; null where there was nothing to back up, `undefined` where there was no such try. */
export async function notedBackup(db: Kysely<DB>, jobId: string): Promise<string | null | undefined> {
  const noted = await db
    .selectFrom("tenantry.job_events")
    .select(sql<string | null>`data ->> 'backup'`.as("backup"))
    .where("job_id", "=", jobId)
    .where("kind", "=", "backed_up")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return noted?.backup;
}

/** Whether something of that kind was noted. */
export async function isNoted(db: Kysely<DB>, jobId: string, kind: string): Promise<boolean> {
  const found = await db
    .selectFrom("tenantry.job_events")
    .select("id")
    .where("job_id", "=", jobId)
    .where("kind", "=", kind)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** What the last try of a job that failed for the time being failed with. */
export async function lastFault(db: Kysely<DB>, jobId: string): Promise<string | undefined> {
  const last = await db
    .selectFrom("tenantry.job_events")
    .select("message")
    .where("job_id", "=", jobId)
    .where("kind", "=", "retried")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.message;
}

/** Like `noteJob`, once. @returns whether it was not noted before */
export async function noteJobOnce(db: Kysely<DB>, jobId: string, kind: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    insert into tenantry.job_events (job_id, kind, message)
    select ${jobId}::uuid, ${kind}, ${message}
    where not exists (select from tenantry.job_events where job_id = ${jobId}::uuid and kind = ${kind})
    returning id`.execute(db);
  return rows.length > 0;
}

/** Records a job's end unless it has ended, and tells the dashboards. @param cause why it failed, and what to do, or why it is cancelled */
export async function endJob(db: Kysely<DB>, id: string, status: JobEnd, cause: string | null = null): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable("tenantry.jobs")
      .set({ status, cause, ended_at: sql`now()`, ...(status === "succeeded" && { progress: 100 }) })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .returning(["kind", "slug", "client_id", "instance_id"])
      .executeTakeFirst();
    if (ended === undefined) return;
    const { client_id, ...about } = ended;
    await noteJob(transaction, id, status, cause ?? "");
    await tellEvent(transaction, { client_id, kind: `job.${status}`, data: { job_id: id, ...about, cause } });
  });
}
