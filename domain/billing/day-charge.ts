/** Cost of a day's usage, the unit of billing. Each metric's charge is rounded separately, so that ledger and invoices agree. */
import { chargeFor, totalAmount } from "./money.ts";
import { alsoOn, dearestPrice, type PlanSpan, type Price, planOn } from "./price-list.ts";
import type { DayUsage } from "./usage-metric.ts";

export interface Tariff {
  readonly prices: readonly Price[];
  /** The client's plans, ordered by day. */
  readonly plans: readonly [PlanSpan, ...PlanSpan[]];
}

/** Returns the highest price of a metric among the day's plans. @throws PriceMissing */
export const usagePrice = ({ prices, plans }: Tariff, { day, metric }: DayUsage): Price =>
  dearestPrice(prices, [planOn(plans, day).plan, ...alsoOn(plans, day)], metric, day);

/** Returns the cost in micro-units. @throws PriceMissing, AmountOutOfRange */
export const usageCharge = (tariff: Tariff, usage: readonly DayUsage[]): bigint =>
  totalAmount(usage.map((used) => chargeFor(used.quantity, usagePrice(tariff, used))));
