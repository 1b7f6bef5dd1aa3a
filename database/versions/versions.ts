/** What an instance is wanted to run, and what it reports. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** Null: the platform's image, or the Worker of whoever deploys. */
export interface Version {
  imageId: string | null;
  bundleId: string | null;
}

export interface ReportedVersion {
  gateway: string | null;
  gatewayVersion: string | null;
  /** Content hash of its Worker's bundle. */
  bundle: string | null;
  /** Since when it has told so. */
  at: Date;
}

export interface InstanceVersion {
  image: { id: string; reference: string; gateway: string; gatewayVersion: string } | null;
  bundle: { id: string; contentHash: string; release: string } | null;
  isPinned: boolean;
  /** Null while it never told. */
  reported: ReportedVersion | null;
  /** The next change of it that its people were told of; null for none. */
  planned: { rolloutId: string; notBefore: Date } | null;
}

/** @returns `undefined` for an instance that the caller does not see */
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
  const [bundle, planned] = await Promise.all([bundleOf(db, found.bundle_id), plannedChange(db, instanceId)]);
  return {
    image:
      image_id === null || reference === null || gateway === null || gateway_version === null
        ? null
        : { id: image_id, reference, gateway, gatewayVersion: gateway_version },
    bundle,
    isPinned: found.is_pinned,
    reported: reported_at && {
      gateway: found.reported_gateway,
      gatewayVersion: found.reported_gateway_version,
      bundle: found.reported_bundle,
      at: reported_at,
    },
    planned,
  };
}

/** Null for none, or for one that the caller does not see. */
async function bundleOf(db: Kysely<DB>, id: string | null): Promise<InstanceVersion["bundle"]> {
  if (id === null) return null;
  const { rows } = await sql<{ content_hash: string; release: string }>`
    select content_hash, release from tenantry.bundle_names() where id = ${id}::uuid`.execute(db);
  const [found] = rows;
  return found === undefined ? null : { id, contentHash: found.content_hash, release: found.release };
}

async function plannedChange(db: Kysely<DB>, instanceId: string): Promise<InstanceVersion["planned"]> {
  const { rows } = await sql<{ rollout_id: string; not_before: Date }>`
    select rollout_id, not_before from tenantry.planned_change(${instanceId}::uuid)`.execute(db);
  const [found] = rows;
  return found === undefined ? null : { rolloutId: found.rollout_id, notBefore: found.not_before };
}

/** Pins an instance to what it runs, or lets roll-outs reach it. */
export async function setPinned(db: Kysely<DB>, instanceId: string, isPinned: boolean): Promise<void> {
  await db.updateTable("tenantry.instances").set({ is_pinned: isPinned }).where("id", "=", instanceId).execute();
}

/** Has an instance be wanted to run a version from its next deployment on. */
export async function setWanted(db: Kysely<DB>, instanceId: string, { imageId, bundleId }: Version): Promise<void> {
  await db
    .updateTable("tenantry.instances")
    .set({ image_id: imageId, bundle_id: bundleId })
    .where("id", "=", instanceId)
    .execute();
}

/** Has an instance that was never deployed run what new ones run. */
export async function adoptDefaults(db: Kysely<DB>, instanceId: string): Promise<void> {
  await sql`
    update tenantry.instances i set
      image_id = coalesce(i.image_id, (select m.id from tenantry.images m where m.environment = i.environment and m.is_default)),
      bundle_id = coalesce(
        i.bundle_id, (select b.id from tenantry.worker_bundles b where b.environment = i.environment and b.is_default))
    where i.id = ${instanceId}::uuid`.execute(db);
}

/** Keeps what an instance told of itself; what it did not tell stays. */
export async function storeReport(
  db: Kysely<DB>,
  instanceId: string,
  { gateway, worker }: { gateway?: { name: string; version: string } | undefined; worker?: string | undefined },
): Promise<void> {
  if (gateway === undefined && worker === undefined) return;
  await sql`
    update tenantry.instances set
      reported_gateway = coalesce(${gateway?.name ?? null}, reported_gateway),
      reported_gateway_version = coalesce(${gateway?.version ?? null}, reported_gateway_version),
      reported_bundle = coalesce(${worker ?? null}, reported_bundle),
      reported_at = now()
    where id = ${instanceId}::uuid and (
      reported_at is null
      or (${gateway?.name ?? null}::text is not null and (reported_gateway, reported_gateway_version) is distinct from
        (${gateway?.name ?? null}, ${gateway?.version ?? null}))
      or (${worker ?? null}::text is not null and reported_bundle is distinct from ${worker ?? null}))`.execute(db);
}
