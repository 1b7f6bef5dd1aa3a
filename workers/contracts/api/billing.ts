/**
 * Usage, credit and invoices in the API. Money is an integer in `*_micros` fields, 1,000,000 to the US dollar, within the exact integers of
 * JSON (`domain/billing/money.ts`).
 */
import * as z from "zod";
import { creditStates } from "#domain/billing/credit-state.ts";
import { invoiceStatuses, lineKinds } from "#domain/billing/invoice.ts";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { instant } from "#domain/entities/entity.ts";
import { plans } from "#domain/plans/plan.ts";

const LIMIT = Number(MAX_MICROS);

const signedMicros = z.int().min(-LIMIT).max(LIMIT);
const micros = signedMicros.min(0);
/** UTC. */
const day = z.iso.date();

export const creditPool = z.object({
  client_id: z.uuid(),
  /** Total of purchases, payments and gifts. */
  purchased_micros: micros,
  consumed_micros: micros,
  balance_micros: signedMicros,
  /** Whether the tenant stops without credit. */
  prepaid: z.boolean(),
  warn_below_micros: micros,
  delete_when_exhausted: z.boolean(),
  state: z.enum(creditStates),
  state_since: instant,
  /** When the next step is due; null if it depends on credit only. */
  state_deadline: instant.nullable(),
  /** Whether the deletion was requested; a top-up does not cancel it. */
  deletion_requested: z.boolean(),
  version: z.int().positive(),
});

export type CreditPool = z.infer<typeof creditPool>;

/** Omitted fields keep their values. */
export const creditSettings = z.strictObject({
  prepaid: z.boolean().optional(),
  warn_below_micros: micros.optional(),
  delete_when_exhausted: z.boolean().optional(),
});

export const creditEntry = z.object({
  id: z.uuid(),
  kind: z.enum(["purchase", "payment", "consumption", "correction"]),
  /** Positive for income. */
  amount_micros: signedMicros,
  /** Null except for consumption and its corrections. */
  day: day.nullable(),
  reference: z.string().nullable(),
  note: z.string(),
  booked_at: instant,
});

export type CreditEntry = z.infer<typeof creditEntry>;

/** A purchase. Each reference is booked once per client. */
export const topUp = z.strictObject({
  amount_micros: micros.min(1),
  reference: z.string().trim().min(1).max(200),
  note: z.string().max(1000).default(""),
});

export const dayUsage = z.object({
  day,
  metric: z.enum(usageMetrics),
  /** In the metric's unit (`docs/reference/metrics.md`). */
  quantity: z.int().nonnegative(),
});

export const invoiceLine = z.object({
  kind: z.enum(lineKinds),
  description: z.string(),
  plan: z.enum(plans).nullable(),
  metric: z.enum(usageMetrics).nullable(),
  quantity: z.int(),
  unit_price_micros: signedMicros,
  per_units: z.int().positive(),
  amount_micros: signedMicros,
});

export const invoiceSummary = z.object({
  id: z.uuid(),
  client_id: z.uuid(),
  period_start: day,
  /** Exclusive. */
  period_end: day,
  currency: z.literal("USD"),
  status: z.enum(invoiceStatuses),
  total_micros: signedMicros,
  created_at: instant,
  issued_at: instant.nullable(),
  /** When it was paid or voided. */
  ended_at: instant.nullable(),
});
export type InvoiceSummary = z.infer<typeof invoiceSummary>;
export const invoice = invoiceSummary.extend({ lines: z.array(invoiceLine) });
export type Invoice = z.infer<typeof invoice>;

/** What a plan costs a client and grants it. */
const planOffer = z.object({
  plan: z.enum(plans),
  /** Fee of a whole month, as of today; null for a plan without a price. */
  monthly_micros: micros.nullable(),
  /** Fees of the current month if the plan changes today, as its invoice will have them. Each day counts with its dearest plan. */
  month_micros: micros.nullable(),
  /** Compared with no change. */
  month_change_micros: signedMicros.nullable(),
  container: z.object({ memory_mib: z.number(), vcpu: z.number(), disk_gb: z.number() }),
  limits: z.object({
    /** Of one request. */
    cpu_ms: z.int(),
    /** Of one request. */
    subrequests: z.int(),
    /** Null: as agreed. */
    backup_bytes: z.int().nullable(),
    /** Without traffic; null: never. */
    sleep_after_seconds: z.int().nullable(),
    /** Whether it sleeps while channels are connected, which then receive nothing. */
    sleeps_with_channels: z.boolean(),
    doors: z.int(),
    inbox_messages: z.int(),
    /** Cost of models within 30 days; null: no limit. */
    ai_spend_usd: z.number().nullable(),
  }),
});

export const planOffers = z.object({
  current: z.enum(plans),
  month_start: day,
  /** Exclusive. */
  month_end: day,
  data: z.array(planOffer),
  /** Why its ADMINs cannot change the plan now; null if they can. */
  refusal: z.string().nullable(),
});
export type PlanOffers = z.infer<typeof planOffers>;

/** Cost of `per_units` of a metric on a plan, from a day until the next price. */
export const price = z.object({
  id: z.uuid(),
  plan: z.enum(plans),
  metric: z.enum(["flat_fee", ...usageMetrics]),
  unit: z.string(),
  per_units: z.int().positive(),
  micros,
  valid_from: day,
});
export const priceList = z.object({ prices: z.array(price) });

/** A future price. A flat fee is per month, with `per_units` 1. */
export const newPrice = price.omit({ id: true, unit: true }).strict();
