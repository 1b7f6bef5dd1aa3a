import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import type { DB } from "../types.ts";

/** Stores an event. Its partner follows from the client, its environment from the caller. */
export async function queueEvent(
  db: Kysely<DB> | Transaction<DB>,
  event: Pick<Insertable<DB["tenantry.events"]>, "client_id" | "partner_id" | "kind" | "data">,
): Promise<void> {
  await db.insertInto("tenantry.events").values(event).execute();
}

const event = z.object({
  id: z.coerce.number(),
  kind: z.string(),
  partner_id: z.string().nullable(),
  client_id: z.string().nullable(),
  data: z.unknown(),
  at: z.date(),
});
type UndeliveredEvent = z.infer<typeof event>;

/** Returns the oldest events that were not pushed. Events older than a day are skipped, because dashboards load that state when they open. */
export async function undeliveredEvents(db: Kysely<DB>, limit: number): Promise<UndeliveredEvent[]> {
  const rows = await db
    .selectFrom("tenantry.events")
    .select(["id", "kind", "partner_id", "client_id", "data", "at"])
    .where("delivered_at", "is", null)
    .where("at", ">", sql<Date>`now() - interval '1 day'`)
    .orderBy("id")
    .limit(limit)
    .execute();
  return z.array(event).parse(rows);
}

export async function markDelivered(db: Kysely<DB>, ids: readonly number[]): Promise<void> {
  await db
    .updateTable("tenantry.events")
    .set({ delivered_at: sql`now()` })
    .where("id", "in", ids.map(String))
    .execute();
}
