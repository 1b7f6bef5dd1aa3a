import { type Kysely, sql, type Transaction } from "kysely";
import type * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { image } from "#domain/entities/image.ts";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

const row = rowOf(image);
export type KnownImage = z.infer<typeof row>;

function selectImages(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.images as m")
    .select([
      "m.id",
      "m.reference",
      "m.gateway",
      "m.gateway_version",
      "m.note",
      "m.release_notes",
      "m.is_default as default",
      "m.withdrawn_at",
    ])
    .select(["m.created_at", "m.updated_at", "m.version"])
    .select((e) =>
      e
        .selectFrom("tenantry.instances as i")
        .select((inner) => inner.fn.countAll().as("tenants"))
        .whereRef("i.image_id", "=", "m.id")
        .as("tenants"),
    )
    .where("m.environment", "=", environment);
}

export async function listImages(db: Kysely<DB>, environment: Environment): Promise<KnownImage[]> {
  const found = await selectImages(db, environment).orderBy("m.created_at", "desc").orderBy("m.id").execute();
  return found.map((one) => row.parse(one));
}

export async function findImage(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownImage | undefined> {
  const found = await selectImages(db, environment).where("m.id", "=", id).executeTakeFirst();
  return found && row.parse(found);
}

const offered = rowOf(
  image.pick({ id: true, gateway: true, gateway_version: true, release_notes: true, default: true, created_at: true }),
);
export type OfferedImage = z.infer<typeof offered>;

/** Returns the images that an instance can get, newest first, also to callers who do not see the catalogue. */
export async function offeredImages(db: Kysely<DB>, instanceId: string): Promise<OfferedImage[]> {
  const { rows } = await sql`
    select id, gateway, gateway_version, release_notes, is_default as "default", created_at
    from tenantry.offered_images(${instanceId}::uuid)`.execute(db);
  return rows.map((one) => offered.parse(one));
}

export async function isWithdrawn(db: Kysely<DB>, id: string): Promise<boolean> {
  const found = await db.selectFrom("tenantry.images").select("withdrawn_at").where("id", "=", id).executeTakeFirst();
  return found?.withdrawn_at != null;
}

export async function addImage(
  db: Kysely<DB>,
  values: Pick<KnownImage, "reference" | "gateway" | "gateway_version" | "note" | "release_notes">,
): Promise<string> {
  return (await db.insertInto("tenantry.images").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

export async function changeImage(
  db: Kysely<DB>,
  id: string,
  {
    note,
    release_notes,
    withdrawn,
  }: { note?: string | undefined; release_notes?: string | undefined; withdrawn?: boolean | undefined },
): Promise<void> {
  if (note === undefined && release_notes === undefined && withdrawn === undefined) return;
  await db
    .updateTable("tenantry.images")
    .set((e) => ({
      ...(note !== undefined && { note }),
      ...(release_notes !== undefined && { release_notes }),
      ...(withdrawn !== undefined && {
        withdrawn_at: withdrawn ? e.fn.coalesce("withdrawn_at", e.fn<Date>("now")) : null,
        is_default: withdrawn ? false : e.ref("is_default"),
      }),
    }))
    .where("id", "=", id)
    .execute();
}

export type CatalogueTable = "tenantry.images" | "tenantry.worker_bundles";

export async function lockCatalogueEntry(db: Kysely<DB>, table: CatalogueTable, id: string): Promise<void> {
  await db.selectFrom(table).select("id").where("id", "=", id).forUpdate().execute();
}

/** Sets the default for new tenants. @param id null for the platform's image, or the service's own Worker */
export async function setDefault(
  tx: Transaction<DB>,
  table: CatalogueTable,
  environment: Environment,
  id: string | null,
): Promise<void> {
  await tx
    .updateTable(table)
    .set({ is_default: false })
    .where("environment", "=", environment)
    .where("is_default", "=", true)
    .execute();
  if (id !== null) await tx.updateTable(table).set({ is_default: true }).where("id", "=", id).execute();
}
