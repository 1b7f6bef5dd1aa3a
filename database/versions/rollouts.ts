/** Roll-outs as people follow and begin them. */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { rollout, rolloutTenant } from "#domain/entities/rollout.ts";
import type { Environment } from "#domain/environment.ts";
import type { RolloutTenantStatus } from "#domain/rollouts/progress.ts";
import type { Version } from "#domain/rollouts/version.ts";
import { planWaves } from "#domain/rollouts/waves.ts";
import { behind, type Place } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  rollout.extend({
    /** `created_at` as PostgreSQL writes it, for cursors. */
    created_text: z.string(),
  }),
);
export type Rollout = z.infer<typeof row>;

const ORDER = { column: "created_at", direction: "desc" } as const;

function selectRollouts(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.rollouts as r")
    .select([
      "r.id",
      "r.image_id",
      "r.bundle_id as worker_bundle_id",
      "r.waves",
      "r.soak_minutes",
      "r.notice_hours",
      "r.is_urgent as urgent",
    ])
    .select(["r.status", "r.wave", "r.cause", "r.requested_by", "r.created_at", "r.updated_at", "r.ended_at"])
    .select(["r.version", sql<string>`r.created_at::text`.as("created_text")])
    .select(
      sql<unknown>`(
        select coalesce(jsonb_object_agg(t.status, t.tenants), '{}')
        from (select status, count(*) as tenants from tenantry.rollout_tenants where rollout_id = r.id group by status) t
      )`.as("tenants"),
    )
    .where("r.environment", "=", environment);
}

export async function findRollout(db: Kysely<DB>, environment: Environment, id: string): Promise<Rollout | undefined> {
  const found = await selectRollouts(db, environment).where("r.id", "=", id).executeTakeFirst();
  return found && row.parse(found);
}

/** Locks a rollout until the transaction ends. */
export async function lockRollout(db: Kysely<DB>, id: string): Promise<void> {
  await db.selectFrom("tenantry.rollouts").select("id").where("id", "=", id).forUpdate().execute();
}

/** The one that is under way, if there is one. */
export async function openRollout(db: Kysely<DB>, environment: Environment): Promise<Rollout | undefined> {
  const found = await selectRollouts(db, environment).where("r.ended_at", "is", null).executeTakeFirst();
  return found && row.parse(found);
}

/** Whether a roll-out is under way, and so follows what becomes of its tenants. */
export async function isUnderWay(db: Kysely<DB>, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("tenantry.rollouts")
    .select("id")
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

/** A page of the roll-outs, newest first. */
export async function listRollouts(
  db: Kysely<DB>,
  environment: Environment,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<Rollout[]> {
  let query = selectRollouts(db, environment).orderBy("r.created_at", "desc").orderBy("r.id", "desc").limit(limit);
  if (after !== undefined) query = query.where(behind({ table: "r", order: ORDER, type: "timestamptz", at: after }));
  return (await query.execute()).map((found) => row.parse(found));
}

const tenantRow = rowOf(rolloutTenant);
export type ListedRolloutTenant = z.infer<typeof tenantRow>;

/** The tenants of a roll-out, by wave and slug. */
export async function listRolloutTenants(
  db: Kysely<DB>,
  id: string,
  { limit, status }: { limit: number; status?: RolloutTenantStatus | undefined },
): Promise<ListedRolloutTenant[]> {
  let query = db
    .selectFrom("tenantry.rollout_tenants as t")
    .innerJoin("tenantry.instances as i", "i.id", "t.instance_id")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["t.instance_id", "t.wave", "t.status", "t.not_before", "t.changed_at", "t.job_id", "t.backup_id"])
    .select(["t.cause", "c.id as client_id", "c.slug"])
    .where("t.rollout_id", "=", id)
    .orderBy("t.wave")
    .orderBy("c.slug")
    .limit(limit);
  if (status !== undefined) query = query.where("t.status", "=", status);
  return (await query.execute()).map(({ client_id, slug, ...found }) =>
    tenantRow.parse({ ...found, client: { id: client_id, slug } }),
  );
}

/** How many tenants of each of a roll-out's waves are of which status, by wave. */
export async function countRolloutWaves(
  db: Kysely<DB>,
  id: string,
): Promise<{ wave: number; tenants: Rollout["tenants"] }[]> {
  const counted = await db
    .selectFrom("tenantry.rollout_tenants")
    .select(["wave", "status", sql<number>`count(*)::integer`.as("count")])
    .where("rollout_id", "=", id)
    .groupBy(["wave", "status"])
    .orderBy("wave")
    .execute();
  const waves = new Map<number, Rollout["tenants"]>();
  for (const { wave, count, status } of counted) {
    waves.set(wave, { ...waves.get(wave), [rolloutTenant.shape.status.parse(status)]: count });
  }
  return [...waves].map(([wave, tenants]) => ({ wave, tenants }));
}

export interface NewRollout extends Version {
  waves: readonly number[];
  soakMinutes: number;
  noticeHours: number;
  isUrgent: boolean;
  requestedBy: string;
}

/** Tenants that a roll-out does not reach: how many, and why. */
export interface PassedBy {
  /** Declared in Git, which says what they run. */
  git: number;
  pinned: number;
  /** Being provisioned, removed, or in error. */
  notRunning: number;
}

export interface Candidates {
  reached: { instanceId: string; isCanary: boolean; imageId: string | null; bundleId: string | null }[];
  passedBy: PassedBy;
}

/** The tenants that a version would be new to. */
export async function rolloutCandidates(
  db: Kysely<DB>,
  environment: Environment,
  { imageId, bundleId }: Version,
): Promise<Candidates> {
  const found = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.status", "i.managed_by", "i.is_pinned", "i.image_id", "i.bundle_id", "c.is_canary"])
    .where("i.environment", "=", environment)
    .where((e) =>
      e.or([
        ...(imageId === null ? [] : [e("i.image_id", "is distinct from", imageId)]),
        ...(bundleId === null ? [] : [e("i.bundle_id", "is distinct from", bundleId)]),
      ]),
    )
    .execute();
  const passedBy: PassedBy = { git: 0, pinned: 0, notRunning: 0 };
  const reached: Candidates["reached"] = [];
  for (const { id, status, managed_by, is_pinned, image_id, bundle_id, is_canary } of found) {
    if (managed_by === "git") passedBy.git += 1;
    else if (is_pinned) passedBy.pinned += 1;
    else if (status !== "running" && status !== "frozen") passedBy.notRunning += 1;
    else reached.push({ instanceId: id, isCanary: is_canary, imageId: image_id, bundleId: bundle_id });
  }
  return { reached, passedBy };
}

/** Writes a roll-out with its tenants, each in its wave. @returns its id */
export async function insertRollout(
  tx: Transaction<DB>,
  { imageId, bundleId, waves, soakMinutes, noticeHours, isUrgent, requestedBy }: NewRollout,
  candidates: Candidates["reached"],
): Promise<string> {
  const { id } = await tx
    .insertInto("tenantry.rollouts")
    .values({
      image_id: imageId,
      bundle_id: bundleId,
      waves: [...waves],
      soak_minutes: soakMinutes,
      notice_hours: noticeHours,
      is_urgent: isUrgent,
      requested_by: requestedBy,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const planned = planWaves(candidates, waves);
  if (candidates.length === 0) return id;
  const tenants = candidates.map((one) => ({
    instance_id: one.instanceId,
    wave: planned.get(one.instanceId),
    from_image_id: one.imageId,
    from_bundle_id: one.bundleId,
  }));
  // As one parameter: a statement takes 65,535 of them.
  await sql`
    insert into tenantry.rollout_tenants (rollout_id, instance_id, wave, from_image_id, from_bundle_id)
    select ${id}::uuid, t.instance_id, t.wave, t.from_image_id, t.from_bundle_id
    from jsonb_to_recordset(${JSON.stringify(tenants)}::jsonb)
      as t (instance_id uuid, wave smallint, from_image_id uuid, from_bundle_id uuid)`.execute(tx);
  return id;
}

/** Lets a roll-out wait, go on, or go no further. */
export async function setRolloutStatus(
  tx: Transaction<DB>,
  id: string,
  status: "running" | "paused" | "stopped",
): Promise<void> {
  await tx
    .updateTable("tenantry.rollouts")
    .set({ status, ended_at: status === "stopped" ? sql<Date>`now()` : null })
    .where("id", "=", id)
    .execute();
  if (status === "stopped") await skipRest(tx, id, "The roll-out was stopped before.");
}

/** Leaves as they are those that are not changed yet. */
export async function skipRest(tx: Transaction<DB>, id: string, cause: string): Promise<void> {
  await tx
    .updateTable("tenantry.rollout_tenants")
    .set({ status: "skipped", cause })
    .where("rollout_id", "=", id)
    .where("status", "in", ["waiting", "announced"])
    .execute();
}

/**
 * Has a roll-out go back.
 *
 * @param cause why; null where somebody wishes it
 * @param wave takes this wave back alone, and those in trouble. Default: all of it
 */
export async function rollBack(
  tx: Transaction<DB>,
  id: string,
  { cause, wave, troubled = [] }: { cause: string | null; wave?: number; troubled?: readonly string[] },
): Promise<void> {
  await tx
    .updateTable("tenantry.rollouts")
    .set({ status: "rolling_back", cause, ended_at: null })
    .where("id", "=", id)
    .execute();
  await skipRest(tx, id, "The roll-out went back before.");
  await markBack(tx, id, { wave, troubled });
}

/** Whether an instance `i` is wanted to run something that it has from its roll-out `r` alone, by its row `t` of that. */
export const HAS_BROUGHT = sql`(
  i.image_id = r.image_id and i.image_id is distinct from t.from_image_id
  or i.bundle_id = r.bundle_id and i.bundle_id is distinct from t.from_bundle_id)`;

/**
 * Marks what is changed to be taken back: what is done, and what failed or was left alone with the new version.
 *
 * @param what.wave this wave alone, and those in trouble. Default: all
 * @param what.among these instances alone. Default: all
 */
export async function markBack(
  tx: Transaction<DB>,
  id: string,
  what: { wave?: number | undefined; troubled?: readonly string[]; among?: readonly string[] },
): Promise<void> {
  const { wave = null, troubled = [], among = null } = what;
  await sql`
    update tenantry.rollout_tenants t set status = 'going_back', job_id = null
    from tenantry.rollouts r, tenantry.instances i
    where t.rollout_id = ${id}::uuid and r.id = t.rollout_id and i.id = t.instance_id
      and (t.status = 'done' or t.status in ('failed', 'skipped', 'stuck') and t.changed_at is not null and ${HAS_BROUGHT})
      and (${wave}::integer is null or t.wave = ${wave}::integer or t.instance_id = any(${[...troubled]}::uuid[]))
      and (${among === null} or t.instance_id = any(${[...(among ?? [])]}::uuid[]))`.execute(tx);
}
