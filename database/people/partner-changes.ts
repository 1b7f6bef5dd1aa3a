import type { Kysely } from "kysely";
import { namedColumns } from "../named-columns.ts";
import type { DB } from "../types.ts";

export async function insertPartner(db: Kysely<DB>, { slug, name }: { slug: string; name: string }): Promise<string> {
  const { id } = await db
    .insertInto("tenantry.partners")
    .values({ slug, name, managed_by: "dashboard" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

interface PartnerChanges {
  slug?: string | undefined;
  name?: string | undefined;
  style?: object | undefined;
  /** Null removes it. */
  logo?: { key: string; type: string } | null | undefined;
}

export async function updatePartner(db: Kysely<DB>, id: string, changes: PartnerChanges): Promise<void> {
  const { style, logo, ...rest } = changes;
  const columns = namedColumns({
    ...rest,
    style: style && JSON.stringify(style),
    ...(logo !== undefined && { logo_key: logo?.key ?? null, logo_type: logo?.type ?? null }),
  });
  if (columns !== undefined) await db.updateTable("tenantry.partners").set(columns).where("id", "=", id).execute();
}

export async function deletePartner(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.partners").where("id", "=", id).execute();
}
