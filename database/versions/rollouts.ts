import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { rollout, rolloutTenant } from "#domain/entities/rollout.ts";
import type { Environment } from "#domain/environment.ts";
import type { RolloutTenantStatus } from "#domain/rollouts/progress.ts";
import type { Version } from "#domain/rollouts/version.ts";
import { planWaves } from "#domain/rollouts/waves.ts";
import { type Page, selectPage } from "../cursor.ts";
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

export async function lockRollout(db: Kysely<DB>, id: string): Promise<void> {
  await db.selectFrom("tenantry.rollouts").select("id").where("id", "=", id).forUpdate().execute();
}

export async function openRollout(db: Kysely<DB>, environment: Environment): Promise<Rollout | undefined> {
  const found = await selectRollouts(db, environment).where("r.ended_at", "is", null).executeTakeFirst();
  return found && row.parse(found);
}

export async function isUnderWay(db: Kysely<DB>, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("tenantry.rollouts")
    .select("id")
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns a page of the rollouts, newest first. */
export async function listRollouts(db: Kysely<DB>, environment: Environment, page: Page): Promise<Rollout[]> {
  const order = { table: "r", order: ORDER, type: "timestamptz" } as const;
  return (await selectPage(selectRollouts(db, environment), order, page).execute()).map((found) => row.parse(found));
}

const tenantRow = rowOf(rolloutTenant);
export type ListedRolloutTenant = z.infer<typeof tenantRow>;

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

interface PassedBy {
  git: number;
  pinned: number;
  /** Being provisioned, removed, or in error. */
  notRunning: number;
}

interface Candidates {
  reached: { instanceId: string; isCanary: boolean; imageId: string | null; bundleId: string | null }[];
  passedBy: PassedBy;
}

/** Returns the tenants whose version would change. */
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
  const tenants = candidates.map((tenant) => ({
    instance_id: tenant.instanceId,
    wave: planned.get(tenant.instanceId),
    from_image_id: tenant.imageId,
    from_bundle_id: tenant.bundleId,
  }));
  // As one parameter, because a statement can have only 65,535.
  await sql`
    insert into tenantry.rollout_tenants (rollout_id, instance_id, wave, from_image_id, from_bundle_id)
    select ${id}::uuid, t.instance_id, t.wave, t.from_image_id, t.from_bundle_id
    from jsonb_to_recordset(${JSON.stringify(tenants)}::jsonb)
      as t (instance_id uuid, wave smallint, from_image_id uuid, from_bundle_id uuid)`.execute(tx);
  return id;
}

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
  if (status === "stopped") await skipRest(tx, id, "The rollout was stopped before this tenant's turn.");
}

async function skipRest(tx: Transaction<DB>, id: string, cause: string): Promise<void> {
  await tx
    .updateTable("tenantry.rollout_tenants")
    .set({ status: "skipped", cause })
    .where("rollout_id", "=", id)
    .where("status", "in", ["waiting", "announced"])
    .execute();
}

/**
 * Rolls a rollout back.
 * @param cause null if a user requested it
 * @param wave rolls back only this wave and `troubled` tenants. Default: all
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
  await skipRest(tx, id, "The rollout was rolled back before this tenant's turn.");
  await markForRollback(tx, id, { wave, troubled });
}

/** Whether an instance `i` has a desired version from its rollout `r`, by its row `t` of the rollout. */
export const HAS_BROUGHT = sql`(
  i.image_id = r.image_id and i.image_id is distinct from t.from_image_id
  or i.bundle_id = r.bundle_id and i.bundle_id is distinct from t.from_bundle_id)`;

/**
 * Marks changed tenants for a rollback: done ones, and failed or skipped ones with the new version.
 * @param what.wave only this wave and `troubled` tenants. Default: all
 * @param what.among only these instances. Default: all
 */
export async function markForRollback(
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
