import { sql, type Transaction } from "kysely";
import { type Tariff, usageCharge } from "#domain/billing/day-charge.ts";
import type { DayUsage } from "#domain/billing/usage-metric.ts";
import type { DB } from "../types.ts";

interface Booked {
  client_id: string;
  amount: string;
  entries: number;
}

/**
 * Updates the ledger of a day to the cost of its usage: the first entry is consumption, later ones correct it by the difference. The
 * caller holds the clients' locks (`lock.ts`).
 *
 * @param at booking time: when the usage was measured
 * @param usage all usage of the day by client
 * @returns clients whose ledger changed
 * @throws PriceMissing, AmountOutOfRange
 */
export async function bookDay(
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
