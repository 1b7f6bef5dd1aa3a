import { readFileSync } from "node:fs";
import { jsonMicros } from "#domain/billing/money.ts";
import { type Price, priceOf } from "#domain/billing/price-list.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetFileErrors } from "#domain/errors/commands/fleet-files.ts";
import type { Plan } from "#domain/plans/plan.ts";
import { priceList } from "#workers/contracts/api/billing.ts";

/** Change of the monthly flat fee in micro-units. */
export type MonthlyDifference = (before: Plan | null, after: Plan | null) => number;

/** @param day `YYYY-MM-DD`, whose prices apply */
export function differenceBy(prices: readonly Price[], day: string): MonthlyDifference {
  const fee = (plan: Plan | null) => (plan === null ? 0n : priceOf(prices, plan, "flat_fee", day).micros);
  return (before, after) => jsonMicros(fee(after) - fee(before));
}

/** @param file response of `GET /prices` of the dashboard @throws Error with one sentence */
export function readPrices(file: string): Price[] {
  try {
    return priceList.parse(JSON.parse(readFileSync(file, "utf8"))).prices.map((price) => ({
      plan: price.plan,
      metric: price.metric,
      micros: BigInt(price.micros),
      perUnits: BigInt(price.per_units),
      validFrom: price.valid_from,
    }));
  } catch (error) {
    throw new CatalogueError(fleetFileErrors.prices_file_invalid, { file }, { cause: error });
  }
}
