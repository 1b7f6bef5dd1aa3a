/** The history of instances' health, kept by day (`tenantry.prepare_health_partitions`). */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** Days that are made ahead: a service that is away for less loses nothing. */
const DAYS_AHEAD = 7;

/** What one look at an instance's health told. */
export interface HealthRecord {
  instanceId: string;
  startupOk: boolean;
  readinessOk: boolean;
  livenessOk: boolean;
  hadBackup: boolean;
  restored: boolean;
  /** Of the probes together, in milliseconds. */
  latencyMs: number;
  at: Date;
}

/** Keeps what a round of looks told, in one statement; what became of instances that are gone meanwhile is left out. */
export async function recordHealth(db: Kysely<DB>, records: readonly HealthRecord[]): Promise<void> {
  await sql`select tenantry.prepare_health_partitions(${DAYS_AHEAD})`.execute(db);
  if (records.length === 0) return;
  const rows = records.map((one) => ({
    instance_id: one.instanceId,
    startup_ok: one.startupOk,
    readiness_ok: one.readinessOk,
    liveness_ok: one.livenessOk,
    had_backup: one.hadBackup,
    restored: one.restored,
    latency_ms: Math.round(one.latencyMs),
    inserted_at: one.at.toISOString(),
  }));
  await sql`
    insert into tenantry.instance_health_snapshots
      (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at)
    select r.instance_id, r.startup_ok, r.readiness_ok, r.liveness_ok, r.had_backup, r.restored, r.latency_ms, r.inserted_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      instance_id uuid, startup_ok boolean, readiness_ok boolean, liveness_ok boolean, had_backup boolean,
      restored boolean, latency_ms integer, inserted_at timestamptz)
    join tenantry.instances i on i.id = r.instance_id`.execute(db);
}

/** Drops days that ended longer ago than the retention. @returns how many */
export async function dropOldHealth(db: Kysely<DB>, retentionDays: number): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    select tenantry.drop_old_health_partitions(make_interval(days => ${retentionDays})) as dropped`.execute(db);
  return rows[0]?.dropped ?? 0;
}

/** Looks of five minutes, together. */
export interface HealthPeriod {
  /** When they began. */
  at: Date;
  samples: number;
  /** Of these, in how many the startup probe succeeded. */
  started: number;
  ready: number;
  alive: number;
  /** In milliseconds. */
  meanLatencyMs: number;
  maxLatencyMs: number;
}

/** An instance's last 24 hours, oldest first: 289 periods at most. */
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

/** The latest look at an instance. */
export async function latestHealth(db: Kysely<DB>, instanceId: string): Promise<HealthRecord | undefined> {
  const found = await db
    .selectFrom("tenantry.instance_health_snapshots")
    .selectAll()
    .where("instance_id", "=", instanceId)
    .orderBy("inserted_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  return {
    instanceId: found.instance_id,
    startupOk: found.startup_ok,
    readinessOk: found.readiness_ok,
    livenessOk: found.liveness_ok,
    hadBackup: found.had_backup,
    restored: found.restored,
    latencyMs: found.latency_ms,
    at: found.inserted_at,
  };
}
