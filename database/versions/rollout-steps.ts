import { sql, type Transaction, type Updateable } from "kysely";
import type { RolloutTenantStatus } from "#domain/rollouts/progress.ts";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";
import { HAS_BROUGHT } from "./rollouts.ts";
import type { SteppedTenant } from "./stepped-tenants.ts";

/**
 * Copies the results of ended jobs to a rollout's tenants. If a job failed or was cancelled after the desired version changed, the tenant
 * counts as changed.
 * @returns ids of instances whose change, not rollback, has ended
 */
export async function copyJobResults(tx: Transaction<DB>, id: string): Promise<string[]> {
  const { rows } = await sql<{ instance_id: string; status: RolloutTenantStatus }>`
    update tenantry.rollout_tenants t set
      status = case
        when t.status = 'changing' and j.status = 'succeeded' then 'done'
        when t.status = 'changing' and j.status = 'failed' then 'failed'
        when t.status = 'changing' then 'skipped'
        when j.status = 'succeeded' then 'gone_back'
        else 'stuck' end,
      changed_at = case when j.status = 'succeeded' or t.status = 'changing' and ${HAS_BROUGHT} then j.ended_at else t.changed_at end,
      cause = j.cause,
      backup_id = coalesce(t.backup_id, (
        select e.data ->> 'backup' from tenantry.job_events e where e.job_id = j.id and e.kind = 'backed_up' order by e.id desc limit 1)),
      job_id = null
    from tenantry.jobs j, tenantry.rollouts r, tenantry.instances i
    where t.rollout_id = ${id}::uuid and t.status in ('changing', 'going_back') and j.id = t.job_id and j.ended_at is not null
      and r.id = t.rollout_id and i.id = t.instance_id
    returning t.instance_id, t.status`.execute(tx);
  return rows
    .filter(({ status }) => status !== "gone_back" && status !== "stuck")
    .map(({ instance_id }) => instance_id);
}

async function updateTenant(
  tx: Transaction<DB>,
  rolloutId: string,
  { instanceId }: Pick<SteppedTenant, "instanceId">,
  values: Updateable<DB["tenantry.rollout_tenants"]>,
): Promise<void> {
  await tx
    .updateTable("tenantry.rollout_tenants")
    .set(values)
    .where("rollout_id", "=", rolloutId)
    .where("instance_id", "=", instanceId)
    .execute();
}

export async function announceChange(
  tx: Transaction<DB>,
  rolloutId: string,
  tenant: Pick<SteppedTenant, "instanceId">,
  notBefore: Date,
): Promise<void> {
  await updateTenant(tx, rolloutId, tenant, { status: "announced", not_before: notBefore });
}

/** Queues a maintenance mail to each validated administrator of a client. @returns their number */
export async function mailNotice(
  tx: Transaction<DB>,
  { clientId }: Pick<SteppedTenant, "clientId">,
  data: { from: string; until: string | null; timeZone: string | null },
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("tenantry.mails")
    .columns(["kind", "recipient", "client_id", "client_user_id", "data"])
    .expression((e) =>
      e
        .selectFrom("tenantry.client_users as u")
        .select([
          sql<string>`'maintenance'`.as("kind"),
          sql<string>`lower(u.email)`.as("recipient"),
          "u.client_id",
          "u.id",
          sql`${JSON.stringify(data)}::jsonb`.as("data"),
        ])
        .where("u.client_id", "=", clientId)
        .where("u.status", "=", "validated")
        .where("u.role", "=", "ADMIN"),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/** Deadline of a tenant's change, in hours. */
const HOURS = 3;

/** Requests a tenant's change or rollback. A change records the present version for a rollback. */
export async function requestChange(
  tx: Transaction<DB>,
  { id, requestedBy, status }: { id: string; requestedBy: string; status: "changing" | "going_back" },
  tenant: SteppedTenant,
): Promise<void> {
  const { instanceId, clientId, slug, generation, now, next, backupId } = tenant;
  const isBack = status === "going_back";
  const payload = { to: next, from: isBack ? null : now, backup: isBack ? backupId : null, rollout: id };
  const job = await requestJob(tx, {
    kind: "adopt_version",
    clientId,
    instanceId,
    slug,
    generation: String(generation),
    requestedBy,
    payload,
    hours: HOURS,
  });
  const from = isBack ? {} : { from_image_id: now.imageId, from_bundle_id: now.bundleId };
  await updateTenant(tx, id, tenant, { status, job_id: job, ...from });
}

export async function skipTenant(
  tx: Transaction<DB>,
  rolloutId: string,
  tenant: Pick<SteppedTenant, "instanceId">,
  cause: string,
): Promise<void> {
  await updateTenant(tx, rolloutId, tenant, { status: "skipped", cause });
}

export async function beginWave(tx: Transaction<DB>, id: string, wave: number): Promise<void> {
  await tx.updateTable("tenantry.rollouts").set({ wave }).where("id", "=", id).execute();
}

/**
 * Ends a rollout. A successful one sets the defaults of new tenants; a rollback of a successful one restores the former defaults. Other
 * rollouts do not change them.
 */
export async function endRollout(
  tx: Transaction<DB>,
  id: string,
  status: "succeeded" | "failed" | "rolled_back",
): Promise<void> {
  if (status === "succeeded") {
    await sql`
      update tenantry.rollouts r set
        former_image_id = (select m.id from tenantry.images m where m.environment = r.environment and m.is_default),
        former_bundle_id = (select b.id from tenantry.worker_bundles b where b.environment = r.environment and b.is_default),
        succeeded_at = now()
      where r.id = ${id}::uuid`.execute(tx);
  }
  for (const [table, column, former] of [
    ["images", "image_id", "former_image_id"],
    ["worker_bundles", "bundle_id", "former_bundle_id"],
  ] as const) {
    const [old, next] = status === "succeeded" ? [former, column] : [column, former];
    await sql`
      update tenantry.${sql.id(table)} d set is_default = false from tenantry.rollouts r
      where r.id = ${id}::uuid and r.succeeded_at is not null and d.id = r.${sql.id(old)} and d.is_default
        and r.${sql.id(column)} is not null`.execute(tx);
    await sql`
      update tenantry.${sql.id(table)} d set is_default = true from tenantry.rollouts r
      where r.id = ${id}::uuid and r.succeeded_at is not null and d.id = r.${sql.id(next)} and d.withdrawn_at is null
        and r.${sql.id(column)} is not null
        and not exists (
          select from tenantry.${sql.id(table)} o where o.environment = d.environment and o.is_default)`.execute(tx);
  }
  await tx.updateTable("tenantry.rollouts").set({ status, ended_at: sql<Date>`now()` }).where("id", "=", id).execute();
}
