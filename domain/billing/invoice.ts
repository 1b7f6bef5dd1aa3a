/**
 * A month's invoice: flat fees by the day, usage by the day, and what credit paid of it. All that is in it follows from the roll-ups, the
 * plans, the prices and the ledger.
 */

import { groupsBy } from "../groups.ts";
import type { Plan } from "../plans/plan.ts";
import type { BillingMonth } from "./billing-month.ts";
import { type Tariff, usagePrice } from "./day-charge.ts";
import { charge, total } from "./money.ts";
import { alsoOn, dearestPrice, planOn } from "./price-list.ts";
import type { DayUsage, UsageMetric } from "./usage-metric.ts";

export const invoiceStatuses = ["draft", "issued", "paid", "void"] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** `carried`: usage of earlier months that no invoice asked for yet, or less of it than one did. `other`: made by hand, before invoices were. */
export const lineKinds = ["flat_fee", "usage", "carried", "credit", "other"] as const;
export type LineKind = (typeof lineKinds)[number];

export interface InvoiceLine {
  readonly kind: LineKind;
  readonly description: string;
  readonly plan: Plan | null;
  /** Of usage. */
  readonly metric: UsageMetric | null;
  /** Of a flat fee: days. Of usage: in the metric's unit. */
  readonly quantity: bigint;
  readonly unitPriceMicros: bigint;
  /** What the price is for: of a flat fee the days of the month. */
  readonly perUnits: bigint;
  /** Of usage the sum of its days' charges, each rounded by itself. */
  readonly amountMicros: bigint;
}

/** What the ledger and earlier invoices say, in micro-units. */
export interface Balance {
  /** Consumption of all days up to the month's last. */
  readonly consumedMicros: bigint;
  /** Of that, what earlier invoices that are not void asked for. */
  readonly chargedMicros: bigint;
  /** Credit that came before the month's end, by purchases, payments and corrections. */
  readonly creditMicros: bigint;
}

/**
 * @param usage of the month's days, in any order
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
  const carried = due - total(used.map(({ amountMicros }) => amountMicros));
  // What earlier invoices asked for, credit paid already or payments are to.
  const left = balance.creditMicros - balance.chargedMicros;
  const paid = min(max(left, 0n), max(due, 0n));
  return [
    ...feeLines(month, tariff),
    ...used,
    ...(carried === 0n ? [] : [single("carried", "Usage of earlier months", carried)]),
    ...(paid === 0n ? [] : [single("credit", "Paid from credit", -paid)]),
  ];
}

/** What of the lines is usage that no credit paid: a payment of the invoice books it. In micro-units. */
export function uncovered(lines: readonly Pick<InvoiceLine, "kind" | "amountMicros">[]): bigint {
  const ofUsage: readonly LineKind[] = ["usage", "carried", "credit"];
  return total(lines.filter(({ kind }) => ofUsage.includes(kind)).map(({ amountMicros }) => amountMicros));
}

function feeLines(month: BillingMonth, { prices, plans }: Tariff): InvoiceLine[] {
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
      amountMicros: charge(quantity, { micros, perUnits }),
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
  // Lines stand in the order of what they are about, whatever the days' order.
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
      amountMicros: total(group.map((one) => charge(one.used.quantity, one.price))),
    };
  });
}

function single(kind: LineKind, description: string, amountMicros: bigint): InvoiceLine {
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
