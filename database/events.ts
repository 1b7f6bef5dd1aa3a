/** News for open dashboards. */
import type { Insertable, Kysely, Transaction } from "kysely";
import type { DB } from "./types.ts";

/** Tells it to the dashboards of whoever may know of the client; partner and environment follow from it. */
export async function tellEvent(
  db: Kysely<DB> | Transaction<DB>,
  event: Pick<Insertable<DB["tenantry.events"]>, "client_id" | "kind" | "data">,
): Promise<void> {
  await db.insertInto("tenantry.events").values(event).execute();
}
