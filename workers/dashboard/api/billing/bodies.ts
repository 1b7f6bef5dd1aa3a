import type * as z from "zod";
import type { PoolOfClient } from "#database/billing/credit-pool.ts";
import type { CreditEntry } from "#database/billing/credits.ts";
import type { Invoice, ListedInvoice } from "#database/billing/invoices.ts";
import type { ListedPrice } from "#database/billing/prices.ts";
import { jsonMicros } from "#domain/billing/money.ts";
import type { creditEntry, creditPool, invoice, invoiceSummary, price } from "#workers/contracts/api/billing.ts";

export function creditBody(pool: PoolOfClient): z.infer<typeof creditPool> {
  return {
    client_id: pool.clientId,
    purchased_micros: jsonMicros(pool.purchasedMicros),
    consumed_micros: jsonMicros(pool.consumedMicros),
    balance_micros: jsonMicros(pool.balanceMicros),
    prepaid: pool.prepaid,
    warn_below_micros: jsonMicros(pool.warnBelowMicros),
    delete_when_exhausted: pool.deleteWhenExhausted,
    state: pool.state,
    state_since: pool.stateSince.toISOString(),
    state_deadline: pool.deadline?.toISOString() ?? null,
    deletion_requested: pool.deletionRequested,
    version: pool.version,
  };
}

export function entryBody({
  id,
  kind,
  amountMicros,
  day,
  reference,
  note,
  bookedAt,
}: CreditEntry): z.infer<typeof creditEntry> {
  return { id, kind, amount_micros: jsonMicros(amountMicros), day, reference, note, booked_at: bookedAt.toISOString() };
}

export function invoiceSummaryBody(of: ListedInvoice): z.infer<typeof invoiceSummary> {
  return {
    id: of.id,
    client_id: of.clientId,
    period_start: of.periodStart,
    period_end: of.periodEnd,
    currency: of.currency,
    status: of.status,
    total_micros: jsonMicros(of.totalMicros),
    created_at: of.createdAt.toISOString(),
    issued_at: of.issuedAt?.toISOString() ?? null,
    ended_at: of.endedAt?.toISOString() ?? null,
  };
}

export function invoiceBody(of: Invoice): z.infer<typeof invoice> {
  const lines = of.lines.map(
    ({ kind, description, plan, metric, quantity, unitPriceMicros, perUnits, amountMicros }) => ({
      kind,
      description,
      plan,
      metric,
      quantity: Number(quantity),
      unit_price_micros: jsonMicros(unitPriceMicros),
      per_units: Number(perUnits),
      amount_micros: jsonMicros(amountMicros),
    }),
  );
  return { ...invoiceSummaryBody(of), lines };
}

export function priceBody({ id, plan, metric, unit, perUnits, micros, validFrom }: ListedPrice): z.infer<typeof price> {
  return { id, plan, metric, unit, per_units: Number(perUnits), micros: jsonMicros(micros), valid_from: validFrom };
}
