/** What a day's usage costs: the unit of billing. Each metric's charge is rounded by itself, so that ledger and invoices agree. */
import { charge, total } from "./money.ts";
import { alsoOn, dearestPrice, type PlanSpan, type Price, planOn } from "./price-list.ts";
import type { DayUsage } from "./usage-metric.ts";

/** What a client's prices go by. */
export interface Tariff {
  readonly prices: readonly Price[];
  /** The client's plans, in the order of their days. */
  readonly plans: readonly [PlanSpan, ...PlanSpan[]];
}

/** The price that one day's usage of a metric has, the dearest of the day's plans. @throws PriceMissing */
export function usagePrice({ prices, plans }: Tariff, { day, metric }: DayUsage): Price {
  return dearestPrice(prices, [planOn(plans, day).plan, ...alsoOn(plans, day)], metric, day);
}

/** What usage costs, of one day or many, in micro-units. @throws PriceMissing, AmountOutOfRange */
export function usageCharge(tariff: Tariff, usage: readonly DayUsage[]): bigint {
  return total(usage.map((used) => charge(used.quantity, usagePrice(tariff, used))));
}
