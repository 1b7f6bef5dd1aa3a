import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { DB } from "../types.ts";

const count = z.coerce.number();
const taskState = z.object({
  task: z.string(),
  ready: count,
  /** Scheduled, or to be retried. */
  scheduled: count,
  running: count,
  failed: count,
  /** Age of the oldest ready job in seconds; 0 without any. */
  oldestReadySeconds: count,
});
type TaskState = z.infer<typeof taskState>;

export async function readQueueState(db: Kysely<DB>, schema: string): Promise<TaskState[]> {
  const { rows } = await sql`
    select t.identifier as task,
      count(*) filter (where j.is_available and j.run_at <= now()) as ready,
      count(*) filter (where j.is_available and j.run_at > now()) as scheduled,
      count(*) filter (where j.locked_at is not null) as running,
      count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts) as failed,
      coalesce(extract(epoch from now() - min(j.run_at) filter (where j.is_available and j.run_at <= now())), 0)
        as "oldestReadySeconds"
    from ${sql.id(schema, "_private_jobs")} j join ${sql.id(schema, "_private_tasks")} t on t.id = j.task_id
    group by t.identifier`.execute(db);
  return z.array(taskState).parse(rows);
}

interface NewWork {
  task: string;
  payload: Readonly<Record<string, unknown>>;
  /** Jobs with the same key are merged until they start. */
  key: string;
  /** Jobs of one queue run in sequence. */
  queue: string;
  /** Delay in seconds. Default: 0. */
  afterSeconds?: number;
  /** Lower numbers run first. Default: 0. */
  priority?: number;
}

/** Queues a job unless one with its key is open; a failed one is queued again. @returns whether it was queued */
export async function requestWork(db: Kysely<DB>, schema: string, work: NewWork): Promise<boolean> {
  const { rows } = await sql`
    select ${sql.id(schema, "add_job")}(
      identifier => ${work.task}, payload => ${JSON.stringify(work.payload)}::json, queue_name => ${work.queue},
      run_at => now() + ${work.afterSeconds ?? 0}::float8 * interval '1 second', max_attempts => 12, job_key => ${work.key},
      priority => ${work.priority ?? 0}::integer, job_key_mode => 'preserve_run_at')
    where not exists (
      select from ${sql.id(schema, "_private_jobs")}
      where key = ${work.key} and (is_available or locked_at is not null))`.execute(db);
  return rows.length > 0;
}

/** Deletes failed jobs older than a number of days. @returns their number */
export async function deleteFailedJobs(db: Kysely<DB>, schema: string, olderThanDays: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.id(schema, "_private_jobs")}
    where locked_at is null and attempts >= max_attempts
      and updated_at < now() - ${olderThanDays}::integer * interval '1 day'`.execute(db);
  return Number(numAffectedRows);
}

export async function lockHolders(db: Kysely<DB>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select locked_by as id from ${sql.id(schema, "_private_jobs")} where locked_by is not null
    union select locked_by from ${sql.id(schema, "_private_job_queues")} where locked_by is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the worker pools whose process has ended, because their lease (`leaseKey`) is free. */
export async function findPoolsWithoutLease(db: Kysely<DB>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; gone: boolean }>`
    select id, pg_try_advisory_xact_lock(${leaseKey("id")}) as gone from unnest(${[...ids]}::text[]) as id`.execute(db);
  return rows.filter(({ gone }) => gone).map(({ id }) => id);
}

export async function unlockWork(db: Kysely<DB>, schema: string, ids: readonly string[]): Promise<void> {
  await sql`select ${sql.id(schema, "force_unlock_workers")}(${[...ids]}::text[])`.execute(db);
}

/** Returns the jobs that a worker pool has locked, as one text for each lock. */
export async function lockedJobs(
  db: Kysely<DB>,
  schema: string,
  pool: string,
): Promise<{ id: string; lock: string }[]> {
  const { rows } = await sql<{ id: string; lock: string }>`
    select id::text, id || ' ' || locked_at as lock from ${sql.id(schema, "_private_jobs")}
    where locked_by = ${pool}`.execute(db);
  return rows;
}

/** Returns jobs that a worker pool has locked and never received. They do not count as attempts. */
export async function returnJobs(db: Kysely<DB>, schema: string, pool: string, ids: readonly string[]): Promise<void> {
  await sql`
    with returned as (
      update ${sql.id(schema, "_private_jobs")} set locked_by = null, locked_at = null, attempts = greatest(attempts - 1, 0)
      where locked_by = ${pool} and id = any (${[...ids]}::bigint[]) returning job_queue_id
    )
    update ${sql.id(schema, "_private_job_queues")} q set locked_by = null, locked_at = null
    from returned where q.id = returned.job_queue_id and q.locked_by = ${pool}`.execute(db);
}

/** Key of the advisory lock that a worker pool holds while its process runs. @param id SQL expression of the pool's id */
const leaseKey = (id: string) => sql.raw<string>(`hashtextextended('tenantry-automation:' || ${id}, 0)`);
