import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { job } from "#domain/entities/job.ts";
import type { DB } from "../types.ts";
import { queueEvent } from "./events.ts";

const openJob = job.pick({ id: true, slug: true, client_id: true, instance_id: true }).extend({
  /** An open job may be of a kind that only another release knows. */
  kind: z.string(),
  generation: z.coerce.bigint().nullable(),
  payload: z.unknown(),
  /** Milliseconds until the deadline, by the database's clock; negative after it. */
  msLeft: z.coerce.number(),
});
export type Job = z.infer<typeof openJob>;
type JobEnd = "succeeded" | "failed" | "cancelled";

/** Whether an open job is past its deadline; a running one gets five more minutes to end. */
export const isLate = sql<boolean>`deadline < now() - case status when 'running' then interval '5 minutes' else interval '0' end`;
/** Whether a job may start. */
const isDue = sql<boolean>`(not_before is null or not_before <= now())`;
const BATCH = 100;

function selectOpen(db: Kysely<DB>) {
  return db
    .selectFrom("tenantry.jobs")
    .select(["id", "kind", "slug", "client_id", "instance_id", "generation", "payload"])
    .select(sql<string>`extract(epoch from deadline - now()) * 1000`.as("msLeft"))
    .where("ended_at", "is", null);
}

export async function findOpenJob(db: Kysely<DB>, id: string): Promise<Job | undefined> {
  const row = await selectOpen(db)
    .where("id", "=", id)
    .where("deadline", ">", sql<Date>`now()`)
    .where(isDue)
    .executeTakeFirst();
  return row && openJob.parse(row);
}

export async function listLateJobs(db: Kysely<DB>): Promise<Job[]> {
  const rows = await selectOpen(db).where(isLate).orderBy("deadline").limit(BATCH).execute();
  return z.array(openJob).parse(rows);
}

/** Returns open jobs of some kinds that were requested more than a minute ago, with their task and priority in the queue. */
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
    .where(isDue)
    .orderBy("created_at")
    .execute();
}

/** Whether a job's instance still has the job's generation, if any, and is frozen or not. */
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

/** Records the start of an attempt, and queues an event. @returns its number from 1; undefined if the job has ended */
export async function beginJob(db: Kysely<DB>, id: string, host: string): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const started = await transaction
      .updateTable("tenantry.jobs")
      .set({ status: "running", started_at: sql`coalesce(started_at, now())`, attempts: sql`attempts + 1` })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .returning(["kind", "slug", "client_id", "instance_id", "attempts"])
      .executeTakeFirst();
    if (started === undefined) return undefined;
    const { attempts, client_id, ...about } = started;
    await addJobEvent(transaction, id, "started", "", { attempt: attempts, host });
    await queueEvent(transaction, {
      client_id,
      kind: "job.started",
      data: { job_id: id, ...about, attempt: attempts },
    });
    return attempts;
  });
}

const engine = z.object({
  hostname: z.string(),
  pid: z.number().int(),
  at: z.date().transform((at) => at.toISOString()),
});

/** Returns the engine processes of a tenant's jobs within 30 days, with their start times. */
export async function enginesOfJobs(db: Kysely<DB>, slug: string): Promise<z.infer<typeof engine>[]> {
  const { rows } = await sql`
    select e.data ->> 'host' as hostname, (e.data ->> 'pid')::integer as pid, e.at
    from tenantry.job_events e join tenantry.jobs j on j.id = e.job_id
    where j.slug = ${slug} and e.kind = 'engine' and j.created_at > now() - interval '30 days'
    order by e.id`.execute(db);
  return z.array(engine).parse(rows);
}

/** Records a step of a job and queues an event. @param progress percent */
export async function addJobStep(
  db: Kysely<DB>,
  { id, slug, client_id, instance_id }: Pick<Job, "id" | "slug" | "client_id" | "instance_id">,
  { message, data, progress }: { message: string; data: Readonly<Record<string, string | number>>; progress: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable("tenantry.jobs").set({ progress }).where("id", "=", id).execute();
    await addJobEvent(transaction, id, "step", message, data);
    await queueEvent(transaction, {
      client_id,
      kind: "job.step",
      data: { job_id: id, slug, instance_id, message, progress, ...data },
    });
  });
}

export async function addJobEvent(
  db: Kysely<DB> | Transaction<DB>,
  job_id: string,
  kind: string,
  message: string,
  data: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  await db.insertInto("tenantry.job_events").values({ job_id, kind, message, data }).execute();
}

const latestEvent = (db: Kysely<DB>, jobId: string, kind: string) =>
  db
    .selectFrom("tenantry.job_events")
    .select(["message", sql<string | null>`data ->> 'backup'`.as("backup")])
    .where("job_id", "=", jobId)
    .where("kind", "=", kind)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

/** Returns the id of the backup from an earlier attempt; null if there was nothing to back up, undefined without such an attempt. */
export async function findJobBackup(db: Kysely<DB>, jobId: string): Promise<string | null | undefined> {
  return (await latestEvent(db, jobId, "backed_up"))?.backup;
}

export async function hasJobEvent(db: Kysely<DB>, jobId: string, kind: string): Promise<boolean> {
  return (await latestEvent(db, jobId, kind)) !== undefined;
}

export async function findLastJobError(db: Kysely<DB>, jobId: string): Promise<string | undefined> {
  return (await latestEvent(db, jobId, "retried"))?.message;
}

/** Records an event unless the job has one of its kind. @returns whether it was new */
export async function addJobEventOnce(db: Kysely<DB>, jobId: string, kind: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    insert into tenantry.job_events (job_id, kind, message)
    select ${jobId}::uuid, ${kind}, ${message}
    where not exists (select from tenantry.job_events where job_id = ${jobId}::uuid and kind = ${kind})
    returning id`.execute(db);
  return rows.length > 0;
}

/** Ends an open job, and queues an event. @param cause why it failed and what to do, or why it was cancelled */
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
    await addJobEvent(transaction, id, status, cause ?? "");
    await queueEvent(transaction, { client_id, kind: `job.${status}`, data: { job_id: id, ...about, cause } });
  });
}
