import { type Kysely, sql } from "kysely";
import type { Row } from "#domain/entities/entity.ts";
import type { instanceVersion as instanceVersionEntity } from "#domain/entities/instance.ts";
import type { Environment } from "#domain/environment.ts";
import { compareGatewayVersions } from "#domain/rollouts/gateway-version.ts";
import type { Version } from "#domain/rollouts/version.ts";
import type { DB } from "../types.ts";

/** What an instance should run and what it reports. */
export type InstanceVersion = Omit<Row<typeof instanceVersionEntity>, "as_wanted">;

export async function instanceVersion(db: Kysely<DB>, instanceId: string): Promise<InstanceVersion | undefined> {
  const found = await db
    .selectFrom("tenantry.instances as i")
    .leftJoin("tenantry.images as m", "m.id", "i.image_id")
    .select(["i.image_id", "i.bundle_id", "i.is_pinned", "i.reported_gateway", "i.reported_gateway_version"])
    .select(["i.reported_bundle", "i.reported_at", "m.reference", "m.gateway", "m.gateway_version"])
    .where("i.id", "=", instanceId)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { image_id, reference, gateway, gateway_version, reported_at } = found;
  const [worker, maintenance] = await Promise.all([bundleOf(db, found.bundle_id), plannedChange(db, instanceId)]);
  return {
    image:
      image_id === null || reference === null || gateway === null || gateway_version === null
        ? null
        : { id: image_id, reference, gateway, gateway_version },
    worker,
    pinned: found.is_pinned,
    reported: reported_at && {
      gateway: found.reported_gateway,
      gateway_version: found.reported_gateway_version,
      worker: found.reported_bundle,
      at: reported_at,
    },
    maintenance,
  };
}

/** Null for none, or for one that the caller does not see. */
async function bundleOf(db: Kysely<DB>, id: string | null): Promise<InstanceVersion["worker"]> {
  if (id === null) return null;
  const { rows } = await sql<{ content_hash: string; release: string }>`
    select content_hash, release from tenantry.bundle_names() where id = ${id}::uuid`.execute(db);
  const [found] = rows;
  return found === undefined ? null : { id, ...found };
}

async function plannedChange(db: Kysely<DB>, instanceId: string): Promise<InstanceVersion["maintenance"]> {
  const { rows } = await sql<{ rollout_id: string; not_before: Date }>`
    select rollout_id, not_before from tenantry.planned_change(${instanceId}::uuid)`.execute(db);
  const [found] = rows;
  return found === undefined ? null : { rollout_id: found.rollout_id, from: found.not_before };
}

/** A version by its external names. */
export interface KnownVersion {
  image: { reference: string; gateway: string; gatewayVersion: string } | null;
  bundle: string | null;
}

export async function findKnownVersion(db: Kysely<DB>, { imageId, bundleId }: Version): Promise<KnownVersion> {
  const image =
    imageId === null
      ? null
      : await db
          .selectFrom("tenantry.images")
          .select(["reference", "gateway", "gateway_version as gatewayVersion"])
          .where("id", "=", imageId)
          .executeTakeFirstOrThrow();
  const bundle =
    bundleId === null
      ? null
      : await db
          .selectFrom("tenantry.worker_bundles")
          .select("content_hash")
          .where("id", "=", bundleId)
          .executeTakeFirstOrThrow();
  return { image, bundle: bundle?.content_hash ?? null };
}

export interface KnownPin {
  by: string | null;
  at: Date | null;
  /** Whether no ADMIN of the client set it. */
  of_operator: boolean;
}

export async function findPin(db: Kysely<DB>, instanceId: string): Promise<KnownPin | undefined> {
  const found = await db
    .selectFrom("tenantry.instances")
    .select(["pinned_by", "pinned_by_kind", "pinned_at"])
    .where("id", "=", instanceId)
    .where("is_pinned", "=", true)
    .executeTakeFirst();
  return found && { by: found.pinned_by, at: found.pinned_at, of_operator: found.pinned_by_kind !== "client_admin" };
}

/** Whether an operator pinned the version of a job's instance after the job was requested. */
export async function isPinnedSince(db: Kysely<DB>, jobId: string): Promise<boolean> {
  const found = await db
    .selectFrom("tenantry.jobs as j")
    .innerJoin("tenantry.instances as i", "i.id", "j.instance_id")
    .select("i.id")
    .where("j.id", "=", jobId)
    .where("i.is_pinned", "=", true)
    .where("i.pinned_by_kind", "<>", "client_admin")
    .whereRef("i.pinned_at", ">", "j.created_at")
    .executeTakeFirst();
  return found !== undefined;
}

export async function setPinned(db: Kysely<DB>, instanceId: string, isPinned: boolean): Promise<void> {
  await db.updateTable("tenantry.instances").set({ is_pinned: isPinned }).where("id", "=", instanceId).execute();
}

/** Sets the desired version of an instance's next deployment. */
export async function setWanted(db: Kysely<DB>, instanceId: string, { imageId, bundleId }: Version): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ image_id: imageId, bundle_id: bundleId })
    .where("id", "=", instanceId)
    .execute();
}

/** Records that an instance was deployed with another version, with which its gateway has not started yet. */
export async function setUnstarted(db: Kysely<DB>, instanceId: string): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ unstarted_since: sql<Date>`now()` })
    .where("id", "=", instanceId)
    .execute();
}

/** Clears that record for instances with a successful liveness probe since. */
export async function clearStarted(db: Kysely<DB>, environment: Environment): Promise<void> {
  await sql`
    update tenantry.instances i set unstarted_since = null
    where i.environment = ${environment} and i.unstarted_since is not null and exists (
      select from tenantry.instance_health_snapshots s
      where s.instance_id = i.id and s.inserted_at > i.unstarted_since and s.liveness_ok)`.execute(db);
}

/** Sets the default version of an instance that was never deployed. */
export async function adoptDefaults(db: Kysely<DB>, instanceId: string): Promise<void> {
  await sql`
    update tenantry.instances i set
      image_id = coalesce(i.image_id, (select m.id from tenantry.images m where m.environment = i.environment and m.is_default)),
      bundle_id = coalesce(
        i.bundle_id, (select b.id from tenantry.worker_bundles b where b.environment = i.environment and b.is_default))
    where i.id = ${instanceId}::uuid`.execute(db);
}

/** Stores a report of an instance. Missing parts stay unchanged. */
export async function storeReport(
  db: Kysely<DB>,
  instanceId: string,
  { gateway, worker }: { gateway?: { name: string; version: string } | undefined; worker?: string | undefined },
): Promise<void> {
  if (gateway === undefined && worker === undefined) return;
  await sql`
    with reported as (update tenantry.instances set
      reported_gateway = coalesce(${gateway?.name ?? null}, reported_gateway),
      reported_gateway_version = coalesce(${gateway?.version ?? null}, reported_gateway_version),
      reported_bundle = coalesce(${worker ?? null}, reported_bundle),
      reported_at = now()
    where id = ${instanceId}::uuid and (
      reported_at is null
      or (${gateway?.name ?? null}::text is not null and (reported_gateway, reported_gateway_version) is distinct from
        (${gateway?.name ?? null}, ${gateway?.version ?? null}))
      or (${worker ?? null}::text is not null and reported_bundle is distinct from ${worker ?? null}))
    returning id, client_id)
    insert into tenantry.events (client_id, kind, data)
    select client_id, 'instance.reported', jsonb_build_object('instance_id', id) from reported`.execute(db);
}

export interface Difference {
  instanceId: string;
  clientId: string;
  slug: string;
  generation: string;
  to: Version;
  wanted: string;
  reported: string;
}

/**
 * Compares reported and desired versions of the dashboard's running tenants without open jobs. The report of a gateway that has not started
 * with the desired version is ignored.
 * @param incident kind of incident for differing tenants
 * @returns as `same` only tenants with that incident open
 */
export async function versionDifferences(
  db: Kysely<DB>,
  environment: Environment,
  incident: string,
): Promise<{ differing: Difference[]; same: string[] }> {
  const { rows } = await sql<Difference & { differs: boolean; image_id: string | null; bundle_id: string | null }>`
    select * from (
      select i.id as "instanceId", i.client_id as "clientId", c.slug, i.generation, i.image_id, i.bundle_id,
        concat_ws(' and ', m.gateway || ' ' || m.gateway_version, 'the Worker ' || left(b.content_hash, 12)) as wanted,
        concat_ws(' and ', i.reported_gateway || ' ' || i.reported_gateway_version, 'the Worker ' || left(i.reported_bundle, 12))
          as reported,
        (i.unstarted_since is null
          and coalesce((m.gateway, m.gateway_version) <> (i.reported_gateway, i.reported_gateway_version), false))
          or coalesce(b.content_hash <> i.reported_bundle, false) as differs
      from tenantry.instances i
      join tenantry.clients c on c.id = i.client_id
      left join tenantry.images m on m.id = i.image_id
      left join tenantry.worker_bundles b on b.id = i.bundle_id
      where i.environment = ${environment} and i.managed_by = 'dashboard' and i.status = 'running'
        and not exists (select from tenantry.jobs j where j.instance_id = i.id and j.ended_at is null
          and (j.not_before is null or j.not_before <= now()))) t
    where t.differs or exists (
      select from tenantry.incidents n where n.instance_id = t."instanceId" and n.kind = ${incident} and n.closed_at is null)`.execute(
    db,
  );
  return {
    differing: rows
      .filter(({ differs }) => differs)
      .map(({ differs: _, image_id: imageId, bundle_id: bundleId, ...tenant }) => ({
        ...tenant,
        to: { imageId, bundleId },
      })),
    same: rows.filter(({ differs }) => !differs).map(({ instanceId }) => instanceId),
  };
}

/** Returns slugs of instances that report a newer version of an image's gateway. */
export async function findNewerInstances(
  db: Kysely<DB>,
  instanceIds: readonly string[],
  { gateway, gateway_version }: { gateway: string; gateway_version: string },
): Promise<string[]> {
  const { rows } = await sql<{ slug: string; version: string }>`
    select c.slug, i.reported_gateway_version as version
    from tenantry.instances i join tenantry.clients c on c.id = i.client_id
    where i.id = any(${[...instanceIds]}::uuid[]) and i.reported_gateway = ${gateway} and i.reported_gateway_version is not null
    order by c.slug`.execute(db);
  return rows.filter(({ version }) => compareGatewayVersions(version, gateway_version) > 0).map(({ slug }) => slug);
}
