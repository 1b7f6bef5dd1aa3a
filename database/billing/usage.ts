import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { type Tariff, usageCharge } from "#domain/billing/day-charge.ts";
import { type DayUsage, usageMetrics } from "#domain/billing/usage-metric.ts";
import type { Rollup } from "#domain/billing/usage-rollup.ts";
import { groupsBy } from "#domain/groups.ts";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";
import { lockCredit } from "./credit-pool.ts";
import { advanceCreditStates } from "./credit-steps.ts";
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
  await advanceCreditStates(tx, { at: askedAt, clientIds: changed });
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

interface Booked {
  client_id: string;
  amount: string;
  entries: number;
}

/**
 * Updates the ledger of a day to the cost of its usage: the first entry is consumption, later ones correct it by the difference. The
 * caller holds the clients' locks.
 * @param at booking time: when the usage was measured
 * @param usage all usage of the day by client
 * @returns clients whose ledger changed
 * @throws PriceMissing, AmountOutOfRange
 */
async function bookDay(
  tx: Transaction<DB>,
  { day, at }: { day: string; at: Date },
  usage: ReadonlyMap<string, readonly DayUsage[]>,
  tariffs: ReadonlyMap<string, Tariff>,
): Promise<string[]> {
  const ids = [...usage.keys()].toSorted();
  const { rows } = await sql<Booked>`
    select client_id, sum(amount_micros)::text as amount, count(*)::integer as entries
    from tenantry.credit_entries
    where client_id = any (${ids}::uuid[]) and day = ${day}::date
    group by client_id`.execute(tx);
  const booked = new Map(rows.map((row) => [row.client_id, row]));
  const entries = ids.flatMap((id) => {
    const tariff = tariffs.get(id);
    if (tariff === undefined) return [];
    const { amount, entries: revision } = booked.get(id) ?? { amount: "0", entries: 0 };
    const difference = -usageCharge(tariff, usage.get(id) ?? []) - BigInt(amount);
    if (difference === 0n) return [];
    return [
      { client_id: id, kind: revision === 0 ? "consumption" : "correction", amount: String(difference), revision },
    ];
  });
  if (entries.length === 0) return [];
  await sql`
    insert into tenantry.credit_entries (client_id, kind, amount_micros, day, revision, booked_at)
    select client_id, kind, amount, ${day}::date, revision, ${at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as e (client_id uuid, kind text, amount bigint, revision integer)
    order by client_id`.execute(tx);
  return entries.map(({ client_id }) => client_id);
}
