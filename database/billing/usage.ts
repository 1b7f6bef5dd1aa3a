import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { type DayUsage, usageMetrics } from "#domain/billing/usage-metric.ts";
import type { Rollup } from "#domain/billing/usage-rollup.ts";
import { groupsBy } from "#domain/groups.ts";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";
import { bookDay } from "./consumption.ts";
import { advanceCredits } from "./credit-steps.ts";
import { lockCredit } from "./lock.ts";
import { tariffsOf } from "./tariffs.ts";

const usageRow = z.object({
  clientId: z.uuid(),
  day: z.string(),
  metric: z.enum(usageMetrics),
  quantity: z.coerce.bigint(),
});

/**
 * Stores the usage of a day and books its cost; the result does not depend on repetitions or concurrent services. Metrics that are
 * missing in the response stay unchanged, because the dataset stores three months only. Older responses change nothing. A large
 * fleet's usage can be stored in parts, each in a transaction of its own.
 *
 * @param askedAt when the dataset was queried
 * @returns clients whose ledger changed
 * @throws PriceMissing, AmountOutOfRange
 */
export async function storeUsage(tx: Transaction<DB>, { day, usage }: Rollup, askedAt: Date): Promise<string[]> {
  const ids = [...new Set(usage.map(({ clientId }) => clientId))];
  await lockCredit(tx, ids);
  const rows = usage.map(({ clientId, metric, quantity }) => ({
    client_id: clientId,
    metric,
    quantity: String(quantity),
  }));
  await sql`
    insert into tenantry.usage_daily as u (client_id, day, metric, quantity, computed_at)
    select client_id, ${day}::date, metric, quantity, ${askedAt.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (client_id uuid, metric text, quantity bigint)
    order by client_id, metric
    on conflict (client_id, day, metric) do update
      set quantity = excluded.quantity, computed_at = excluded.computed_at
      where u.computed_at <= excluded.computed_at`.execute(tx);
  const stored = groupsBy(await usageOf(tx, ids, day, day), ({ clientId }) => clientId);
  const changed = await bookDay(tx, { day, at: askedAt }, stored, await tariffsOf(tx, ids));
  await advanceCredits(tx, { at: askedAt, clientIds: changed });
  return changed;
}

/** Returns a client's usage between two days, inclusive, by day and metric. */
export async function listUsage(db: Kysely<DB>, clientId: string, from: string, to: string): Promise<DayUsage[]> {
  const rows = await usageOf(db, [clientId], from, to);
  return rows.map(({ day, metric, quantity }) => ({ day, metric, quantity }));
}

async function usageOf(db: Kysely<DB>, clientIds: readonly string[], from: string, to: string) {
  const rows = await db
    .selectFrom("tenantry.usage_daily")
    .select(["client_id as clientId", dayText("day").as("day"), "metric", "quantity"])
    .where(sql<boolean>`client_id = any (${clientIds}::uuid[])`)
    .where(sql<boolean>`day between ${from}::date and ${to}::date`)
    .orderBy("client_id")
    .orderBy("tenantry.usage_daily.day")
    .orderBy("metric")
    .execute();
  return rows.map((row) => usageRow.parse(row));
}
