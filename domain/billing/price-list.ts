/** Prices by plan, each from a day until the next price, and the plans of a client by day. */
import type { Plan } from "../plans/plan.ts";
import type { Rate } from "./money.ts";
import { USAGE_UNITS, type UsageMetric } from "./usage-metric.ts";

/** A metric, or the monthly fee of a plan. */
export type Priced = UsageMetric | "flat_fee";

export const unitOf = (priced: Priced): string => (priced === "flat_fee" ? "months" : USAGE_UNITS[priced]);

export interface Price extends Rate {
  readonly plan: Plan;
  readonly metric: Priced;
  /** First day of the price. */
  readonly validFrom: string;
}

/** No price for a day. Prices are seeded for every plan, so that one was deleted. */
export class PriceMissing extends Error {
  override name = "PriceMissing";
  constructor(plan: Plan, metric: Priced, day: string) {
    super(`no price of ${metric} on plan ${plan} for ${day}: set one that is valid from that day`);
  }
}

/** Returns the price on a day. @param prices in any order @throws PriceMissing */
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
  /** Whether the plan's flat fee is charged. */
  readonly billed: boolean;
  /** Charged plans earlier on its first day. Default: none. */
  readonly also?: readonly Plan[];
}

/**
 * The plan at a day's end. Before the first, which is the day the client was made, nothing is billed; usage
 * that is reported of such a day has the first plan's price.
 *
 * @param spans at least one, in the order of their days
 */
export const planOn = (spans: readonly [PlanSpan, ...PlanSpan[]], day: string): PlanSpan =>
  spans.findLast(({ validFrom }) => validFrom <= day) ?? { ...spans[0], billed: false };

/** Returns the earlier plans of a day: leaving a plan before midnight does not avoid its fee. */
export const alsoOn = (spans: readonly [PlanSpan, ...PlanSpan[]], day: string): readonly Plan[] =>
  spans.find(({ validFrom }) => validFrom === day)?.also ?? [];

/** Returns the highest price on a day among plans. @throws PriceMissing */
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
