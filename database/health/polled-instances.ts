/** Instances as their health is polled, and what a look changes of them. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { Environment } from "#domain/environment.ts";
import { changeStatus } from "../tenants/transitions.ts";
import type { DB } from "../types.ts";

const status = z.enum(["provisioning", "running", "error"]);
export type PolledStatus = z.infer<typeof status>;

export interface PolledInstance {
  id: string;
  clientId: string;
  slug: string;
  status: PolledStatus;
  generation: number;
  /**
   * Since when each look has found no life, of the last 15 minutes; null for one that lived when it was looked at last. A look at one that
   * sleeps leaves nothing, so that what was before the sleep does not count.
   */
  notAliveSince: Date | null;
}

/** Looks further apart are not of one run, in seconds: rounds are to come at least each minute. */
const LONGEST_GAP_S = 150;

/**
 * Who is polled: all but frozen and stopped ones, a page at a time in the order of their ids. Of those in error only what Git owns: the
 * others have a job to come back by.
 *
 * @param after id that the page before ended with
 */
export async function polledInstances(
  db: Kysely<DB>,
  environment: Environment,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<PolledInstance[]> {
  let query = db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.client_id", "c.slug", "i.status", "i.generation"])
    .select(
      sql<Date | null>`(
        with looks as (
          select s.inserted_at as at, s.liveness_ok,
            coalesce(lag(s.inserted_at) over (order by s.inserted_at desc), now()) - s.inserted_at
              > make_interval(secs => ${LONGEST_GAP_S}) as gap
          from tenantry.instance_health_snapshots s
          where s.instance_id = i.id and s.inserted_at > now() - interval '15 minutes'
            and s.inserted_at < now() + interval '1 hour'),
        runs as (
          select at, sum((liveness_ok or gap)::int) over (order by at desc) as ended from looks)
        select min(at) from runs where ended = 0)`.as("not_alive_since"),
    )
    .where("i.environment", "=", environment)
    .where((where) =>
      where.or([
        where("i.status", "=", "running"),
        // What a job deploys is started by that job: until then another's deployment would answer.
        where.and([
          where("i.status", "=", "provisioning"),
          where.not(
            where.exists(
              where
                .selectFrom("tenantry.jobs as j")
                .select("j.id")
                .whereRef("j.instance_id", "=", "i.id")
                .where("j.kind", "=", "provision")
                .where("j.ended_at", "is", null),
            ),
          ),
        ]),
        where.and([where("i.status", "=", "error"), where("i.managed_by", "=", "git")]),
      ]),
    )
    .orderBy("i.id")
    .limit(limit);
  if (after !== undefined) query = query.where("i.id", ">", after);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    slug: row.slug,
    status: status.parse(row.status),
    generation: Number(row.generation),
    notAliveSince: row.not_alive_since,
  }));
}

/**
 * Has an instance run that was being provisioned or in error, in the name of the generation that was looked at.
 *
 * @returns whether it does; false when another operation has begun meanwhile
 */
export async function setRunning(
  db: Kysely<DB>,
  instance: Pick<PolledInstance, "id" | "generation">,
): Promise<boolean> {
  const change = { instance, cause: "provisioned" } as const;
  return db.transaction().execute(async (tx) => (await changeStatus(tx, change)) !== undefined);
}
