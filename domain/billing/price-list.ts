/** Prices by plan, each from a day on until the next one; and which plan a client had on which day. */

import type { Plan } from "../plans/plan.ts";
import type { Rate } from "./money.ts";
import { USAGE_UNITS, type UsageMetric } from "./usage-metric.ts";

/** What has a price: a metric, or a plan itself by the month. */
export type Priced = UsageMetric | "flat_fee";

/** The unit of what has a price. */
export const unitOf = (priced: Priced): string => (priced === "flat_fee" ? "months" : USAGE_UNITS[priced]);

export interface Price extends Rate {
  readonly plan: Plan;
  readonly metric: Priced;
  /** First day on which it holds. */
  readonly validFrom: string;
}

/** A day's usage, or fee, that nothing says the price of: prices are seeded for every plan, so somebody removed one. */
export class PriceMissing extends Error {
  override name = "PriceMissing";
  constructor(plan: Plan, metric: Priced, day: string) {
    super(`there is no price of ${metric} on plan ${plan} for ${day}: give one that holds from then on`);
  }
}

/** The price of a day. @param prices in any order @throws PriceMissing */
export function priceOf(prices: readonly Price[], plan: Plan, metric: Priced, day: string): Price {
  let found: Price | undefined;
  for (const price of prices) {
    if (price.plan !== plan || price.metric !== metric || price.validFrom > day) continue;
    if (found === undefined || price.validFrom > found.validFrom) found = price;
  }
  if (found === undefined) throw new PriceMissing(plan, metric, day);
  return found;
}

/** A client's plan from a day on. */
export interface PlanSpan {
  readonly validFrom: string;
  readonly plan: Plan;
  /** Whether the plan's flat fee is asked for. */
  readonly billed: boolean;
  /** Other plans that its first day saw before, as far as their flat fee was asked for. Default: none. */
  readonly also?: readonly Plan[];
}

/**
 * The plan at a day's end. Before the first, which is the day the client was made, nothing is billed; usage
 * that is reported of such a day has the first plan's price.
 *
 * @param spans at least one, in the order of their days
 */
export function planOn(spans: readonly [PlanSpan, ...PlanSpan[]], day: string): PlanSpan {
  return spans.findLast(({ validFrom }) => validFrom <= day) ?? { ...spans[0], billed: false };
}

/** Plans that a day saw before the one at its end, so that none is had for nothing by leaving it before midnight. */
export function alsoOn(spans: readonly [PlanSpan, ...PlanSpan[]], day: string): readonly Plan[] {
  return spans.find(({ validFrom }) => validFrom === day)?.also ?? [];
}

/** The price of a day that is the dearest among several plans'. @throws PriceMissing */
export function dearestPrice(
  prices: readonly Price[],
  among: readonly [Plan, ...Plan[]],
  metric: Priced,
  day: string,
): Price {
  const [first, ...others] = among;
  return others
    .map((plan) => priceOf(prices, plan, metric, day))
    .reduce(
      (dearest, price) => (price.micros * dearest.perUnits > dearest.micros * price.perUnits ? price : dearest),
      priceOf(prices, first, metric, day),
    );
}
