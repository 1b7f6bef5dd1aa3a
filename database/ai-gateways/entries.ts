import type { Insertable, Kysely } from "kysely";
import { namedColumns } from "../named-columns.ts";
import type { DB } from "../types.ts";

type Row = Insertable<DB["tenantry.ai_gateways"]>;

export async function insertEntry(
  db: Kysely<DB>,
  values: Pick<Row, "gateway_id" | "environment" | "max_instances" | "enabled">,
): Promise<string> {
  const { id } = await db
    .insertInto("tenantry.ai_gateways")
    .values({ ...values, managed_by: "dashboard" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function lockEntry(db: Kysely<DB>, id: string): Promise<void> {
  await db.selectFrom("tenantry.ai_gateways").select("id").where("id", "=", id).forUpdate().execute();
}

export async function updateEntry(
  db: Kysely<DB>,
  id: string,
  changes: {
    environment?: string | null | undefined;
    max_instances?: number | undefined;
    enabled?: boolean | undefined;
  },
): Promise<void> {
  const columns = namedColumns(changes);
  if (columns !== undefined) await db.updateTable("tenantry.ai_gateways").set(columns).where("id", "=", id).execute();
}

export async function deleteEntry(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.ai_gateways").where("id", "=", id).execute();
}

/** Returns the slugs of other clients that bind a gateway outside the pool. */
export async function bindersOutsidePool(
  db: Kysely<DB>,
  gatewayId: string,
  { exceptClientId }: { exceptClientId: string },
): Promise<string[]> {
  const binders = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select("c.slug")
    .where("i.ai_gateway_id", "=", gatewayId)
    .where("i.ai_gateway_pool_id", "is", null)
    .where("i.client_id", "<>", exceptClientId)
    .execute();
  return binders.map(({ slug }) => slug);
}
