import type { Kysely, Transaction } from "kysely";
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

export async function addImage(
  db: Kysely<DB>,
  values: Pick<KnownImage, "reference" | "gateway" | "gateway_version" | "note">,
): Promise<string> {
  return (await db.insertInto("tenantry.images").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

export async function changeImage(
  db: Kysely<DB>,
  id: string,
  { note, withdrawn }: { note?: string | undefined; withdrawn?: boolean | undefined },
): Promise<void> {
  if (note === undefined && withdrawn === undefined) return;
  await db
    .updateTable("tenantry.images")
    .set((e) => ({
      ...(note !== undefined && { note }),
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
