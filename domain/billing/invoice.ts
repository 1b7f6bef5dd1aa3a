/** A month's invoice: flat fees and usage by day, less what credit paid. It follows from roll-ups, plans, prices and the ledger. */
import { groupsBy } from "../groups.ts";
import type { Plan } from "../plans/plan.ts";
import type { BillingMonth } from "./billing-month.ts";
import { type Tariff, usagePrice } from "./day-charge.ts";
import { chargeFor, totalAmount } from "./money.ts";
import { alsoOn, dearestPrice, planOn } from "./price-list.ts";
import type { DayUsage, UsageMetric } from "./usage-metric.ts";

export const invoiceStatuses = ["draft", "issued", "paid", "void"] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** `carried`: correction for usage of earlier months. `other`: written manually before invoices existed. */
export const lineKinds = ["flat_fee", "usage", "carried", "credit", "other"] as const;
export type LineKind = (typeof lineKinds)[number];

export interface InvoiceLine {
  readonly kind: LineKind;
  readonly description: string;
  readonly plan: Plan | null;
  /** Null except for usage. */
  readonly metric: UsageMetric | null;
  /** Days for a flat fee, else in the metric's unit. */
  readonly quantity: bigint;
  readonly unitPriceMicros: bigint;
  /** Quantity that the price is for; days of the month for a flat fee. */
  readonly perUnits: bigint;
  /** For usage the sum of the daily charges, each rounded separately. */
  readonly amountMicros: bigint;
}

/** Totals of the ledger and earlier invoices, in micro-units. */
export interface Balance {
  /** Consumption until the month's end. */
  readonly consumedMicros: bigint;
  /** Part of it that earlier invoices charged, without void ones. */
  readonly chargedMicros: bigint;
  /** Purchases, payments and corrections until the month's end. */
  readonly creditMicros: bigint;
}

/**
 * @param usage of the month, in any order
 * @throws PriceMissing, AmountOutOfRange
 */
export function invoiceLines(
  month: BillingMonth,
  tariff: Tariff,
  usage: readonly DayUsage[],
  balance: Balance,
): InvoiceLine[] {
  const used = usageLines(tariff, usage);
  const due = balance.consumedMicros - balance.chargedMicros;
  const carried = due - totalAmount(used.map(({ amountMicros }) => amountMicros));
  // Amounts of earlier invoices are covered by credit or by payments.
  const left = balance.creditMicros - balance.chargedMicros;
  const paid = min(max(left, 0n), max(due, 0n));
  return [
    ...feeLines(month, tariff),
    ...used,
    ...(carried === 0n ? [] : [singleLine("carried", "Usage of earlier months", carried)]),
    ...(paid === 0n ? [] : [singleLine("credit", "Paid from credit", -paid)]),
  ];
}

/** Returns the usage that credit did not pay, in micro-units; a payment of the invoice books it. */
export function uncoveredAmount(lines: readonly Pick<InvoiceLine, "kind" | "amountMicros">[]): bigint {
  const ofUsage: readonly LineKind[] = ["usage", "carried", "credit"];
  return totalAmount(lines.filter(({ kind }) => ofUsage.includes(kind)).map(({ amountMicros }) => amountMicros));
}

/** @throws PriceMissing */
export function feeLines(month: BillingMonth, { prices, plans }: Tariff): InvoiceLine[] {
  const days = month.days.flatMap((day) => {
    const { plan, billed } = planOn(plans, day);
    const [first, ...others] = [...(billed ? [plan] : []), ...alsoOn(plans, day)];
    if (first === undefined) return [];
    const dearest = dearestPrice(prices, [first, ...others], "flat_fee", day);
    return dearest.micros > 0n ? [dearest] : [];
  });
  const perUnits = BigInt(month.days.length);
  return [...groupsBy(days, ({ plan, micros }) => `${plan} ${micros}`).values()].map((group): InvoiceLine => {
    const [{ plan, micros }] = group;
    const quantity = BigInt(group.length);
    return {
      kind: "flat_fee",
      description: `Plan ${plan}, ${quantity} of ${perUnits} days`,
      plan,
      metric: null,
      quantity,
      unitPriceMicros: micros,
      perUnits,
      amountMicros: chargeFor(quantity, { micros, perUnits }),
    };
  });
}

function usageLines(tariff: Tariff, usage: readonly DayUsage[]): InvoiceLine[] {
  const priced = usage
    .filter(({ quantity }) => quantity > 0n)
    .map((used) => ({ used, price: usagePrice(tariff, used) }));
  const groups = groupsBy(priced, ({ price }) =>
    [price.metric, price.plan, String(price.micros).padStart(16, "0"), price.perUnits].join(" "),
  );
  // The order of lines does not depend on the order of the usage.
  const ordered = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return ordered.map(([, group]): InvoiceLine => {
    const [{ used, price }] = group;
    return {
      kind: "usage",
      description: `${used.metric} on plan ${price.plan}`,
      plan: price.plan,
      metric: used.metric,
      quantity: group.reduce((sum, one) => sum + one.used.quantity, 0n),
      unitPriceMicros: price.micros,
      perUnits: price.perUnits,
      amountMicros: totalAmount(group.map((one) => chargeFor(one.used.quantity, one.price))),
    };
  });
}

function singleLine(kind: LineKind, description: string, amountMicros: bigint): InvoiceLine {
  return {
    kind,
    description,
    plan: null,
    metric: null,
    quantity: 1n,
    unitPriceMicros: amountMicros,
    perUnits: 1n,
    amountMicros,
  };
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
