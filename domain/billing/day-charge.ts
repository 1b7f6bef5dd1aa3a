/** What a day's usage costs: the unit of billing. Each metric's charge is rounded by itself, so that ledger and invoices agree. */
import { charge, total } from "./money.ts";
import { type PlanSpan, type Price, planOn, priceOf } from "./price-list.ts";
import type { DayUsage } from "./usage-metric.ts";

/** What a client's prices go by. */
export interface Tariff {
  readonly prices: readonly Price[];
  /** The client's plans, in the order of their days. */
  readonly plans: readonly [PlanSpan, ...PlanSpan[]];
}

/** The price that one day's usage of a metric has. @throws PriceMissing */
export function usagePrice({ prices, plans }: Tariff, { day, metric }: DayUsage): Price {
  return priceOf(prices, planOn(plans, day).plan, metric, day);
}

/** What usage costs, of one day or many, in micro-units. @throws PriceMissing, AmountOutOfRange */
export function usageCharge(tariff: Tariff, usage: readonly DayUsage[]): bigint {
  return total(usage.map((used) => charge(used.quantity, usagePrice(tariff, used))));
}
