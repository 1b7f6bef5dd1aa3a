/** A roll-out as the automation service carries it on; every query is the service's. */
import { sql, type Transaction } from "kysely";
import * as z from "zod";
import type { MaintenanceWindow } from "../../domain/rollouts/maintenance-window.ts";
import { type RolloutTenant, rolloutTenantStatuses } from "../../domain/rollouts/progress.ts";
import { windowOf } from "../tenants/clients.ts";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";
import type { Version } from "./versions.ts";

/** Keeps a roll-out to whoever asks until the transaction's end. */
export async function lockRollout(tx: Transaction<DB>, id: string): Promise<void> {
  await tx.selectFrom("tenantry.rollouts").select("id").where("id", "=", id).forUpdate().execute();
}

/** Takes over what has become of the jobs of a roll-out's tenants. */
export async function followJobs(tx: Transaction<DB>, id: string): Promise<void> {
  await sql`
    update tenantry.rollout_tenants t set
      status = case
        when t.status = 'changing' and j.status = 'succeeded' then 'done'
        when t.status = 'changing' and j.status = 'failed' then 'failed'
        when t.status = 'changing' then 'skipped'
        when j.status = 'succeeded' then 'gone_back'
        else 'stuck' end,
      changed_at = case when j.status = 'succeeded' then j.ended_at else t.changed_at end,
      cause = j.cause,
      backup_id = coalesce(t.backup_id, (
        select e.data ->> 'backup' from tenantry.job_events e where e.job_id = j.id and e.kind = 'backed_up' order by e.id desc limit 1)),
      job_id = null
    from tenantry.jobs j
    where t.rollout_id = ${id}::uuid and t.status in ('changing', 'going_back') and j.id = t.job_id and j.ended_at is not null`.execute(
    tx,
  );
  // Its row is gone with its job's, or it was never to be found again.
  await sql`
    update tenantry.rollout_tenants t set status = 'skipped', cause = 'The instance was removed.'
    where t.rollout_id = ${id}::uuid and t.status in ('waiting', 'announced')
      and exists (select from tenantry.instances i where i.id = t.instance_id and i.status not in ('running', 'frozen'))`.execute(
    tx,
  );
}

const tenant = z.object({
  instance_id: z.uuid(),
  client_id: z.uuid(),
  slug: z.string(),
  wave: z.number(),
  status: z.enum(rolloutTenantStatuses),
  not_before: z.date().nullable(),
  changed_at: z.date().nullable(),
  job_id: z.string().nullable(),
  from_image_id: z.string().nullable(),
  from_bundle_id: z.string().nullable(),
  backup_id: z.string().nullable(),
  generation: z.coerce.bigint(),
  trouble: z.string().nullable(),
  looks_well: z.boolean(),
  maintenance_days: z.array(z.number()).nullable(),
  maintenance_start: z.string().nullable(),
  maintenance_hours: z.number().nullable(),
  maintenance_zone: z.string().nullable(),
});

export interface SteppedTenant extends RolloutTenant {
  clientId: string;
  /** Of its instance. */
  generation: bigint;
  from: Version;
  /** Of its state of before it was changed. */
  backupId: string | null;
  window: MaintenanceWindow | undefined;
}

/** A roll-out's tenants with how they are. */
export async function steppedTenants(tx: Transaction<DB>, id: string): Promise<SteppedTenant[]> {
  const { rows } = await sql`
    select t.instance_id, i.client_id, c.slug, t.wave, t.status, t.not_before, t.changed_at, t.job_id, t.from_image_id,
      t.from_bundle_id, t.backup_id, i.generation,
      coalesce(t.cause, n.cause, case when i.status = 'error' then coalesce(i.state_cause, 'it is in error.') end) as trouble,
      coalesce(h.liveness_ok and h.readiness_ok, true) as looks_well,
      c.maintenance_days, to_char(c.maintenance_start, 'HH24:MI') as maintenance_start, c.maintenance_hours, c.maintenance_zone
    from tenantry.rollout_tenants t
    join tenantry.instances i on i.id = t.instance_id
    join tenantry.clients c on c.id = i.client_id
    left join lateral (
      select n.cause from tenantry.incidents n
      where n.instance_id = t.instance_id and n.closed_at is null and n.opened_at >= t.changed_at
      order by n.opened_at limit 1) n on true
    left join lateral (
      select h.liveness_ok, h.readiness_ok from tenantry.instance_health_snapshots h
      where h.instance_id = t.instance_id and h.inserted_at > t.changed_at
      order by h.inserted_at desc limit 1) h on t.status = 'done' and i.status = 'running'
    where t.rollout_id = ${id}::uuid
    order by t.wave, c.slug`.execute(tx);
  return z.array(tenant).parse(rows).map(toTenant);
}

function toTenant(row: z.infer<typeof tenant>): SteppedTenant {
  return {
    instanceId: row.instance_id,
    clientId: row.client_id,
    slug: row.slug,
    wave: row.wave,
    status: row.status,
    notBefore: row.not_before,
    changedAt: row.changed_at,
    hasJob: row.job_id !== null,
    trouble: row.trouble,
    looksWell: row.looks_well,
    generation: row.generation,
    from: { imageId: row.from_image_id, bundleId: row.from_bundle_id },
    backupId: row.backup_id,
    window: windowOf(row) ?? undefined,
  };
}

/** Says when a tenant is changed. */
export async function announce(
  tx: Transaction<DB>,
  rolloutId: string,
  { instanceId }: Pick<SteppedTenant, "instanceId">,
  notBefore: Date,
): Promise<void> {
  await tx
    .updateTable("tenantry.rollout_tenants")
    .set({ status: "announced", not_before: notBefore })
    .where("rollout_id", "=", rolloutId)
    .where("instance_id", "=", instanceId)
    .execute();
}

/** Mail to a client's administrators, who have accepted, about when its tenant is interrupted. @returns how many */
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

/** How long the change of one tenant may take, in hours. */
const HOURS = 3;

/** Asks for a tenant's change, or for its way back. */
export async function askForChange(
  tx: Transaction<DB>,
  { id, to, requestedBy, status }: { id: string; to: Version; requestedBy: string; status: "changing" | "going_back" },
  { instanceId, clientId, slug, generation, from, backupId }: SteppedTenant,
): Promise<void> {
  const isBack = status === "going_back";
  const wanted = isBack ? from : { imageId: to.imageId ?? from.imageId, bundleId: to.bundleId ?? from.bundleId };
  const payload = { to: wanted, from: isBack ? null : from, backup: isBack ? backupId : null, rollout: id };
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
  await tx
    .updateTable("tenantry.rollout_tenants")
    .set({ status, job_id: job })
    .where("rollout_id", "=", id)
    .where("instance_id", "=", instanceId)
    .execute();
}

/** Begins a wave. */
export async function beginWave(tx: Transaction<DB>, id: string, wave: number): Promise<void> {
  await tx.updateTable("tenantry.rollouts").set({ wave }).where("id", "=", id).execute();
}

/** Ends a roll-out. One that succeeded is what new tenants get; one that went back leaves to them what they got before. */
export async function endRollout(
  tx: Transaction<DB>,
  id: string,
  status: "succeeded" | "failed" | "rolled_back",
): Promise<void> {
  if (status === "succeeded") {
    await sql`
      update tenantry.rollouts r set
        former_image_id = (select m.id from tenantry.images m where m.environment = r.environment and m.is_default),
        former_bundle_id = (select b.id from tenantry.worker_bundles b where b.environment = r.environment and b.is_default)
      where r.id = ${id}::uuid`.execute(tx);
  }
  for (const [table, column, former] of [
    ["images", "image_id", "former_image_id"],
    ["worker_bundles", "bundle_id", "former_bundle_id"],
  ] as const) {
    // What is the default, and what becomes it.
    const [old, next] = status === "succeeded" ? [former, column] : [column, former];
    await sql`
      update tenantry.${sql.id(table)} d set is_default = false from tenantry.rollouts r
      where r.id = ${id}::uuid and d.id = r.${sql.id(old)} and d.is_default and r.${sql.id(column)} is not null`.execute(
      tx,
    );
    await sql`
      update tenantry.${sql.id(table)} d set is_default = true from tenantry.rollouts r
      where r.id = ${id}::uuid and d.id = r.${sql.id(next)} and d.withdrawn_at is null and r.${sql.id(column)} is not null
        and not exists (
          select from tenantry.${sql.id(table)} o where o.environment = d.environment and o.is_default)`.execute(tx);
  }
  await tx.updateTable("tenantry.rollouts").set({ status, ended_at: sql<Date>`now()` }).where("id", "=", id).execute();
}
