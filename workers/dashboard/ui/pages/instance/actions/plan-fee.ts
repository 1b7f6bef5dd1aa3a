import type * as z from "zod";
import { PriceMissing, priceOf } from "#domain/billing/price-list.ts";
import type { Plan } from "#domain/plans/plan.ts";
import type { priceList } from "#workers/contracts/api/billing.ts";

type Prices = z.output<typeof priceList>["prices"];

/** Monthly fee in micro-units; undefined if the plan has no price. @param day `YYYY-MM-DD` */
export function feeOf(prices: Prices, plan: Plan, day: string): number | undefined {
  const flat = prices.filter(({ metric }) => metric === "flat_fee");
  try {
    return Number(priceOf(flat.map(toPrice), plan, "flat_fee", day).micros);
  } catch (error) {
    if (error instanceof PriceMissing) return undefined;
    throw error;
  }
}

const toPrice = ({ plan, metric, micros, per_units, valid_from }: Prices[number]) => ({
  plan,
  metric,
  micros: BigInt(micros),
  perUnits: BigInt(per_units),
  validFrom: valid_from,
});
