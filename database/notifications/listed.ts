import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { notificationDelivery } from "#domain/notifications/delivery.ts";
import { notificationText } from "#domain/notifications/texts.ts";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  notificationDelivery.extend({
    /** `created_at` as PostgreSQL writes it, for cursors. */
    created_text: z.string(),
  }),
);
export type ListedDelivery = z.infer<typeof row>;

/** Returns a page of a client's deliveries, newest first. */
export async function listDeliveries(db: Kysely<DB>, clientId: string, page: Page): Promise<ListedDelivery[]> {
  const selected = db
    .selectFrom("tenantry.notification_deliveries as d")
    .innerJoin("tenantry.notifications as n", "n.id", "d.notification_id")
    .innerJoin("tenantry.clients as c", "c.id", "n.client_id")
    .innerJoin("tenantry.client_users as u", "u.id", "d.client_user_id")
    .select(["d.id", "n.kind", "n.data", "n.occurred_at", "d.channel", "u.email", "d.state", "d.attempts", "d.answer"])
    .select(["d.created_at", "d.ended_at", "c.name"])
    .select(sql<string>`d.created_at::text`.as("created_text"))
    .where("n.client_id", "=", clientId);
  const order = { table: "d", order: { column: "created_at", direction: "desc" }, type: "timestamptz" } as const;
  const found = await selectPage(selected, order, page).execute();
  return found.map(({ data, name, ...one }) =>
    row.parse({ ...one, subject: notificationText(one.kind, data, name).subject }),
  );
}
