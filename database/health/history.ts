/** History of instances' health, partitioned by day (`tenantry.prepare_health_partitions`). */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** Days of partitions created ahead, so that a service can be down for that long. */
const DAYS_AHEAD = 7;

/** Result of one health probe. */
export interface HealthRecord {
  instanceId: string;
  startupOk: boolean;
  readinessOk: boolean;
  livenessOk: boolean;
  hadBackup: boolean;
  restored: boolean;
  /** Of all probes together, in milliseconds. */
  latencyMs: number;
  at: Date;
}

/** Stores the results of a polling round in one statement. Results of deleted instances are skipped. */
export async function recordHealth(db: Kysely<DB>, records: readonly HealthRecord[]): Promise<void> {
  await sql`select tenantry.prepare_health_partitions(${DAYS_AHEAD})`.execute(db);
  if (records.length === 0) return;
  await sql`
    insert into tenantry.instance_health_snapshots
      (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at)
    select i.id, r."startupOk", r."readinessOk", r."livenessOk", r."hadBackup", r.restored, round(r."latencyMs"), r.at
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (
      "instanceId" uuid, "startupOk" boolean, "readinessOk" boolean, "livenessOk" boolean, "hadBackup" boolean,
      restored boolean, "latencyMs" numeric, at timestamptz)
    join tenantry.instances i on i.id = r."instanceId"`.execute(db);
}

/** Drops days older than the retention. @returns their number */
export async function dropOldHealth(db: Kysely<DB>, retentionDays: number): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    select tenantry.drop_old_health_partitions(make_interval(days => ${retentionDays})) as dropped`.execute(db);
  return rows[0]?.dropped ?? 0;
}

/** Probes of five minutes, aggregated. */
export interface HealthPeriod {
  at: Date;
  samples: number;
  /** Samples in which the probe succeeded. */
  started: number;
  ready: number;
  alive: number;
  meanLatencyMs: number;
  maxLatencyMs: number;
}

/** Returns an instance's last 24 hours, oldest first: at most 289 periods. */
export async function healthPeriods(db: Kysely<DB>, instanceId: string): Promise<HealthPeriod[]> {
  const { rows } = await sql<HealthPeriod>`
    select date_bin('5 minutes', inserted_at, 'epoch') as at, count(*)::int as samples,
      (count(*) filter (where startup_ok))::int as started,
      (count(*) filter (where readiness_ok))::int as ready, (count(*) filter (where liveness_ok))::int as alive,
      round(avg(latency_ms))::int as "meanLatencyMs", max(latency_ms) as "maxLatencyMs"
    from tenantry.instance_health_snapshots
    where instance_id = ${instanceId} and inserted_at > now() - interval '24 hours'
      and inserted_at < now() + interval '1 hour'
    group by 1 order by 1`.execute(db);
  return rows;
}

/** Probes of a day, in UTC. */
export interface HealthDay {
  /** `YYYY-MM-DD` */
  day: string;
  samples: number;
  ready: number;
  meanLatencyMs: number;
}

/** Returns the days of an instance's last 30 that have probes, oldest first. */
export async function healthDays(db: Kysely<DB>, instanceId: string): Promise<HealthDay[]> {
  const { rows } = await sql<HealthDay>`
    select to_char(inserted_at at time zone 'utc', 'YYYY-MM-DD') as day, count(*)::int as samples,
      (count(*) filter (where readiness_ok))::int as ready, round(avg(latency_ms))::int as "meanLatencyMs"
    from tenantry.instance_health_snapshots
    where instance_id = ${instanceId} and inserted_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc' - interval '29 days'
      and inserted_at < now() + interval '1 hour'
    group by 1 order by 1`.execute(db);
  return rows;
}

export async function latestHealth(db: Kysely<DB>, instanceId: string): Promise<HealthRecord | undefined> {
  return db
    .selectFrom("tenantry.instance_health_snapshots")
    .select(["instance_id as instanceId", "startup_ok as startupOk", "readiness_ok as readinessOk", "restored"])
    .select(["liveness_ok as livenessOk", "had_backup as hadBackup", "latency_ms as latencyMs", "inserted_at as at"])
    .where("instance_id", "=", instanceId)
    .orderBy("inserted_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
