/** What has a time that is over; every query is the automation service's. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";
import { tellEvent } from "./events.ts";
import { endJob } from "./jobs.ts";

/** Rows that one call ends. */
const BATCH = 100;
/** Rows that one call deletes of a table. */
const DELETED = 10_000;

/**
 * Takes instances whose transient state has lasted past its deadline to `error`. Each is named with its generation, so that an operation
 * which begins meanwhile is left alone.
 *
 * @returns slugs of their tenants
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
      await sql`select set_config('tenantry.generation', ${generation}, true)`.execute(transaction);
      const changed = await transaction
        .updateTable("tenantry.instances")
        .set({ status: "error", state_cause: cause })
        .where("id", "=", id)
        .where("generation", "=", generation)
        .where("state_deadline", "<", sql<Date>`now()`)
        .returning("id")
        .executeTakeFirst();
      if (changed === undefined) return;
      await tellEvent(transaction, { client_id, kind: "instance.failed", data: { instance_id: id, slug, cause } });
      failed.push(slug);
    });
  }
  return failed;
}

/** Fails jobs whose time is over. @param causeOf why, by the job's kind @returns their ids */
export async function failLateJobs(db: Kysely<DB>, causeOf: (kind: string) => string): Promise<string[]> {
  const late = await db
    .selectFrom("tenantry.jobs")
    .select(["id", "kind"])
    .where("ended_at", "is", null)
    .where("deadline", "<", sql<Date>`now()`)
    .orderBy("deadline")
    .limit(BATCH)
    .execute();
  for (const { id, kind } of late) await endJob(db, id, "failed", causeOf(kind));
  return late.map(({ id }) => id);
}

/** Deletes what nobody asks for any more. @returns how many rows */
export async function forgetOld(
  db: Kysely<DB>,
  keep: { idempotencyKeysHours: number; eventsDays: number },
): Promise<{ idempotencyKeys: number; events: number }> {
  const keys = await sql`
    delete from tenantry.idempotency_keys where (caller, key) in (
      select caller, key from tenantry.idempotency_keys
      where created_at < now() - ${keep.idempotencyKeysHours}::integer * interval '1 hour' limit ${DELETED})`.execute(
    db,
  );
  const events = await sql`
    delete from tenantry.events where id in (
      select id from tenantry.events where at < now() - ${keep.eventsDays}::integer * interval '1 day'
      order by id limit ${DELETED})`.execute(db);
  return { idempotencyKeys: Number(keys.numAffectedRows ?? 0), events: Number(events.numAffectedRows ?? 0) };
}
