/** Changes of clients, except deletion (`deletion.ts`) and manager (`handover.ts`). */
import type { Kysely } from "kysely";
import type { Plan } from "#domain/plans/plan.ts";
import { type ClientFields, clientColumns } from "#domain/settings/client.ts";
import type { ClientState } from "#domain/tenants/instance-state.ts";
import { namedColumns } from "../named-columns.ts";
import type { DB } from "../types.ts";

/** Locks a client's row until the transaction ends. Lock the client before its instance. */
export async function lockClient(db: Kysely<DB>, id: string): Promise<void> {
  await db.selectFrom("tenantry.clients").select("id").where("id", "=", id).forUpdate().execute();
}

export async function insertClient(
  db: Kysely<DB>,
  client: { slug: string; name: string; billingPlan: Plan; partnerId: string | null },
): Promise<string> {
  const { slug, name, billingPlan: billing_plan, partnerId: partner_id } = client;
  const { id } = await db
    .insertInto("tenantry.clients")
    .values({ slug, name, billing_plan, partner_id, status: "draft", managed_by: "dashboard" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

interface ClientChanges {
  name?: string | undefined;
  billingPlan?: Plan | undefined;
  status?: ClientState | undefined;
  partnerId?: string | null | undefined;
  fields?: ClientFields;
}

export async function updateClient(db: Kysely<DB>, id: string, changes: ClientChanges): Promise<void> {
  const { name, billingPlan, status, partnerId, fields = {} } = changes;
  const columns = namedColumns({
    name,
    status,
    billing_plan: billingPlan,
    partner_id: partnerId,
    ...clientColumns(fields),
  });
  if (columns !== undefined) await db.updateTable("tenantry.clients").set(columns).where("id", "=", id).execute();
}
