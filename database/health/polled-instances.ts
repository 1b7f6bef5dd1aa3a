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
   * Start of the current run of failed liveness probes within 15 minutes; null if the last probe succeeded. Sleeping instances have no
   * probes, so results before the sleep do not count.
   */
  notAliveSince: Date | null;
}

/** Longest gap within a run of probes, in seconds; rounds take place at least every minute. */
const LONGEST_GAP_S = 150;

/**
 * Returns a page of polled instances by id: all except frozen and stopped ones. Of those in error only Git's are polled, because the
 * others recover by a job.
 * @param after last id of the previous page
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
        with probes as (
          select s.inserted_at as at, s.liveness_ok,
            coalesce(lag(s.inserted_at) over (order by s.inserted_at desc), now()) - s.inserted_at
              > make_interval(secs => ${LONGEST_GAP_S}) as gap
          from tenantry.instance_health_snapshots s
          where s.instance_id = i.id and s.inserted_at > now() - interval '15 minutes'
            and s.inserted_at < now() + interval '1 hour'),
        runs as (
          select at, sum((liveness_ok or gap)::int) over (order by at desc) as ended from probes)
        select min(at) from runs where ended = 0)`.as("not_alive_since"),
    )
    .where("i.environment", "=", environment)
    .where((where) =>
      where.or([
        where("i.status", "=", "running"),
        // A provisioning job starts the instance itself; until then an earlier deployment could respond.
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

/** Marks an instance as running for the polled generation. @returns false if another operation has started since */
export async function setRunning(
  db: Kysely<DB>,
  instance: Pick<PolledInstance, "id" | "generation">,
): Promise<boolean> {
  const change = { instance, cause: "provisioned" } as const;
  return db.transaction().execute(async (tx) => (await changeStatus(tx, change)) !== undefined);
}
