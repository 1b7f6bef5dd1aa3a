/** Present state of a rollout's tenants, and their next version, for the automation service. */
import { sql, type Transaction } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { rolloutTenant } from "#domain/entities/rollout.ts";
import { compareGatewayVersions } from "#domain/rollouts/gateway-version.ts";
import type { MaintenanceWindow } from "#domain/rollouts/maintenance-window.ts";
import type { RolloutTenant } from "#domain/rollouts/progress.ts";
import { isSameVersion, type Version, withBrought, withoutBrought } from "#domain/rollouts/version.ts";
import { CLIENT_FIELDS } from "#domain/settings/client-fields.ts";
import type { DB } from "../types.ts";

const tenant = rowOf(
  rolloutTenant.omit({ client: true, cause: true }).extend({
    client_id: z.uuid(),
    slug: z.string(),
    is_busy: z.boolean(),
    instance_status: z.string(),
    managed_by: z.string(),
    is_pinned: z.boolean(),
    image_id: z.string().nullable(),
    bundle_id: z.string().nullable(),
    brought_image_id: z.string().nullable(),
    brought_bundle_id: z.string().nullable(),
    from_image_id: z.string().nullable(),
    from_bundle_id: z.string().nullable(),
    /** Gateway version of the rollout's image; null without one, and if the tenant reports another gateway. */
    brought_version: z.string().nullable(),
    reported_version: z.string().nullable(),
    generation: z.coerce.bigint(),
    trouble: z.string().nullable(),
    is_healthy: z.boolean(),
    maintenance_days: z.array(z.number()).nullable(),
    maintenance_start: z.string().nullable(),
    maintenance_hours: z.number().nullable(),
    maintenance_zone: z.string().nullable(),
  }),
);
type Row = z.infer<typeof tenant>;

export interface SteppedTenant extends RolloutTenant {
  clientId: string;
  generation: bigint;
  now: Version;
  /** Next desired version: that of the rollout, or for a rollback the former one. */
  next: Version;
  /** Backup from before the change. */
  backupId: string | null;
  window: MaintenanceWindow | undefined;
}

export async function steppedTenants(tx: Transaction<DB>, rolloutId: string): Promise<SteppedTenant[]> {
  const { rows } = await sql`${selectSteppedTenants(rolloutId)} order by t.wave, c.slug`.execute(tx);
  return z.array(tenant).parse(rows).map(toTenant);
}

/** Returns one tenant, with its instance locked until the transaction ends. */
export async function lockTenant(tx: Transaction<DB>, rolloutId: string, instanceId: string): Promise<SteppedTenant> {
  await tx.selectFrom("tenantry.instances").select("id").where("id", "=", instanceId).forUpdate().execute();
  // Read after locking, so that the previous holder's change is visible.
  const { rows } = await sql`${selectSteppedTenants(rolloutId)} and t.instance_id = ${instanceId}::uuid`.execute(tx);
  return toTenant(tenant.parse(rows[0]));
}

const selectSteppedTenants = (rolloutId: string) => sql`
  select t.instance_id, i.client_id, c.slug, t.wave, t.status, t.not_before, t.changed_at, t.job_id,
    i.status as instance_status, i.managed_by, i.is_pinned, i.image_id, i.bundle_id,
    r.image_id as brought_image_id, r.bundle_id as brought_bundle_id, t.from_image_id, t.from_bundle_id,
    m.gateway_version as brought_version, i.reported_gateway_version as reported_version, t.backup_id, i.generation,
    exists (
      select from tenantry.jobs j
      where j.instance_id = i.id and j.kind = 'adopt_version' and j.ended_at is null and j.id is distinct from t.job_id
        and (j.not_before is null or j.not_before <= now())) as is_busy,
    coalesce(t.cause, n.cause, case when i.status = 'error' then coalesce(i.state_cause, 'the instance is in error.') end) as trouble,
    coalesce(h.liveness_ok and h.readiness_ok, true) as is_healthy,
    c.maintenance_days, c.maintenance_start, c.maintenance_hours, c.maintenance_zone
  from tenantry.rollout_tenants t
  join tenantry.rollouts r on r.id = t.rollout_id
  join tenantry.instances i on i.id = t.instance_id
  join tenantry.clients c on c.id = i.client_id
  left join tenantry.images m on m.id = r.image_id and m.gateway = i.reported_gateway
  left join lateral (
    select n.cause from tenantry.incidents n
    where n.instance_id = t.instance_id and n.closed_at is null and n.opened_at >= t.changed_at
    order by n.opened_at limit 1) n on true
  left join lateral (
    select h.liveness_ok, h.readiness_ok from tenantry.instance_health_snapshots h
    where h.instance_id = t.instance_id and h.inserted_at > t.changed_at
    order by h.inserted_at desc limit 1) h on t.status = 'done' and i.status = 'running'
  where t.rollout_id = ${rolloutId}::uuid`;

function toTenant(row: Row): SteppedTenant {
  const now = { imageId: row.image_id, bundleId: row.bundle_id };
  const brought = { imageId: row.brought_image_id, bundleId: row.brought_bundle_id };
  const before = { imageId: row.from_image_id, bundleId: row.from_bundle_id };
  const isBack = row.status === "going_back";
  const next = isBack ? withoutBrought(now, brought, before) : withBrought(now, brought);
  return {
    instanceId: row.instance_id,
    clientId: row.client_id,
    slug: row.slug,
    wave: row.wave,
    status: row.status,
    notBefore: row.not_before,
    changedAt: row.changed_at,
    hasJob: row.job_id !== null,
    isBusy: row.is_busy,
    passedBy: (isSameVersion(now, next) ? SAME[isBack ? "back" : "there"] : undefined) ?? whyPassedBy(row, isBack),
    trouble: row.trouble,
    isHealthy: row.is_healthy,
    generation: row.generation,
    now,
    next,
    backupId: row.backup_id,
    window: CLIENT_FIELDS.maintenanceWindow.read(row) ?? undefined,
  };
}

const SAME = {
  there: "Another change has already set this version.",
  back: "Another change has set a different version since.",
};

function whyPassedBy(row: Row, isBack: boolean): string | null {
  if (row.instance_status === "stopped") return "The instance was removed.";
  if (row.managed_by === "git") return "The instance is now declared in Git, which sets its version.";
  if (row.is_pinned) return "The instance is pinned.";
  // A rollback is not skipped: its job reports what blocks it.
  if (isBack) return null;
  if (row.instance_status !== "running" && row.instance_status !== "frozen") {
    return `The instance is in state ${row.instance_status}.`;
  }
  const { brought_version, reported_version } = row;
  const isNewer =
    brought_version !== null &&
    reported_version !== null &&
    compareGatewayVersions(reported_version, brought_version) > 0;
  return isNewer ? `Its state has version ${reported_version}, which is newer than the rollout's.` : null;
}
