/** The cap of a client's spending on models. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";

/** Whether a day of usage counts towards the cap. */
const isRecent = sql<boolean>`day > (now() at time zone 'utc')::date - 30`;

const micros = z.coerce.number().nullable();
const row = z.object({
  /** Millionths of a US dollar; null: what the plan permits. */
  cap: micros,
  /** What the plan permits; null: any amount. */
  maximum: micros,
  /** In the last 30 days. */
  spent: z.coerce.number(),
});
export type SpendingCap = z.infer<typeof row>;

/** @returns undefined without the client */
export async function readSpendingCap(db: Kysely<DB>, clientId: string): Promise<SpendingCap | undefined> {
  const found = await db
    .selectFrom("tenantry.clients as c")
    .select("c.ai_spend_cap_micros as cap")
    .select(sql<string | null>`tenantry.spending_maximum(c.environment, c.billing_plan)`.as("maximum"))
    .select(
      sql<string>`(select coalesce(sum(u.quantity), 0) from tenantry.usage_daily u
        where u.client_id = c.id and u.metric = 'ai_spend' and ${isRecent})`.as("spent"),
    )
    .where("c.id", "=", clientId)
    .executeTakeFirst();
  return found && row.parse(found);
}

/** @throws pg's error TN051 for more than the plan permits */
export async function setSpendingCap(db: Kysely<DB>, clientId: string, cap: number | null): Promise<void> {
  await db.updateTable("tenantry.clients").set({ ai_spend_cap_micros: cap }).where("id", "=", clientId).execute();
}

export interface SpendingToPush {
  cap: number | null;
  /** Spending of the last 30 days that the ledger knows. */
  days: { day: string; micros: number }[];
}

/** Returns what the tenant of an instance is to receive. */
export async function spendingToPush(db: Kysely<DB>, instanceId: string): Promise<SpendingToPush | undefined> {
  const found = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["c.id", "c.ai_spend_cap_micros as cap"])
    .where("i.id", "=", instanceId)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const days = await db
    .selectFrom("tenantry.usage_daily")
    .select([dayText("day").as("day"), "quantity"])
    .where("client_id", "=", found.id)
    .where("metric", "=", "ai_spend")
    .where(isRecent)
    .orderBy("day")
    .execute();
  return { cap: micros.parse(found.cap), days: days.map(({ day, quantity }) => ({ day, micros: Number(quantity) })) };
}
