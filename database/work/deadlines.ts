/** Enforcement of deadlines and retention, for the automation service. */
import { type Kysely, sql } from "kysely";
import { changeStatus } from "../tenants/transitions.ts";
import type { DB } from "../types.ts";
import { queueEvent } from "./events.ts";

const BATCH = 100;
/** Deleted rows per call and table. */
const DELETED = 10_000;
/** Deleted jobs per call; each has hundreds of events. */
const JOBS_DELETED = 500;

/**
 * Sets instances whose transient state has passed its deadline to `error`, unless another operation has started since.
 * @returns their slugs
 */
export async function failLateInstances(db: Kysely<DB>, cause: string): Promise<string[]> {
  const late = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.generation", "i.client_id", "c.slug"])
    .where("i.state_deadline", "<", sql<Date>`now()`)
    .orderBy("i.state_deadline")
    .limit(BATCH)
    .execute();
  const failed: string[] = [];
  for (const { id, generation, client_id, slug } of late) {
    await db.transaction().execute(async (transaction) => {
      const change = { instance: { id, generation }, cause: "timed out", stateCause: cause } as const;
      if ((await changeStatus(transaction, change)) === undefined) return;
      await queueEvent(transaction, { client_id, kind: "instance.failed", data: { instance_id: id, slug, cause } });
      failed.push(slug);
    });
  }
  return failed;
}

export interface Retention {
  idempotencyKeysHours: number;
  eventsDays: number;
  jobsDays: number;
  /** Ended mails, with their attempts. The last mail of each user is preserved, because the user's page shows it. */
  mailsDays: number;
  incidentsDays: number;
  /** With their deliveries. A period of a cap that lasts longer would be reported again. */
  notificationsDays: number;
  /** Links in mails that unsubscribe. */
  unsubscribesDays: number;
}

/** Deletes rows past their retention. @returns their number by kind */
export async function deleteExpired(db: Kysely<DB>, keep: Retention): Promise<Record<string, number>> {
  const days = (count: number) => sql`now() - ${count}::integer * interval '1 day'`;
  const idempotencyKeys = sql`
    delete from tenantry.idempotency_keys where (caller, key) in (
      select caller, key from tenantry.idempotency_keys
      where created_at < now() - ${keep.idempotencyKeysHours}::integer * interval '1 hour' limit ${DELETED})`;
  const events = sql`
    delete from tenantry.events where id in (
      select id from tenantry.events where at < ${days(keep.eventsDays)} order by id limit ${DELETED})`;
  // Jobs that a credit pool or an open rollout refers to are preserved.
  const jobs = sql`
    delete from tenantry.jobs where id in (
      select j.id from tenantry.jobs j
      where j.ended_at < ${days(keep.jobsDays)}
        and not exists (select from tenantry.credit_pools p where p.final_backup_job = j.id)
        and not exists (
          select from tenantry.rollout_tenants t join tenantry.rollouts r on r.id = t.rollout_id
          where t.job_id = j.id and r.ended_at is null)
      order by j.ended_at limit ${JOBS_DELETED})`;
  const mails = sql`
    delete from tenantry.mails where id in (
      select m.id from tenantry.mails m
      where m.ended_at < ${days(keep.mailsDays)} and (m.client_user_id is null or exists (
        select from tenantry.mails later
        where later.client_user_id = m.client_user_id and later.created_at > m.created_at))
      order by m.ended_at limit ${DELETED})`;
  const incidents = sql`
    delete from tenantry.incidents where id in (
      select id from tenantry.incidents where closed_at < ${days(keep.incidentsDays)} order by closed_at limit ${DELETED})`;
  const notifications = sql`
    delete from tenantry.notifications where id in (
      select id from tenantry.notifications where occurred_at < ${days(keep.notificationsDays)}
      order by occurred_at limit ${DELETED})`;
  const unsubscribes = sql`
    delete from tenantry.notification_unsubscribes where token_hash in (
      select token_hash from tenantry.notification_unsubscribes where created_at < ${days(keep.unsubscribesDays)}
      order by created_at limit ${DELETED})`;
  const deleted: Record<string, number> = {};
  for (const [name, statement] of Object.entries({
    idempotencyKeys,
    events,
    jobs,
    mails,
    incidents,
    notifications,
    unsubscribes,
  })) {
    deleted[name] = Number((await statement.execute(db)).numAffectedRows ?? 0);
  }
  return deleted;
}
