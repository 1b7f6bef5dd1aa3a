import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** What is done with messages of a tenant's inbox. */
export type InboxOrder = "replay" | "drop" | "export";

/** Records an order of a root for the inbox in the audit log. */
export async function auditInboxOrder(
  db: Kysely<DB>,
  instanceId: string,
  { order, details }: { order: InboxOrder; details: object },
): Promise<void> {
  await sql`select tenantry.record_inbox_order(${instanceId}, ${order}, ${JSON.stringify(details)})`.execute(db);
}
