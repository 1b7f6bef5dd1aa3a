/** An invoice in words, the same on every machine. */
import { METRIC_NAMES, USAGE_UNITS } from "#domain/billing/usage-metric.ts";
import { planLabel } from "#domain/plans/plan.ts";
import type { Invoice } from "#workers/contracts/api/billing.ts";

type Line = Invoice["lines"][number];

const MICROS = 1_000_000n;
const FRACTION_DIGITS = 6;

const grouped = (count: bigint): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");

/** An amount in full, with at least two decimals. */
export function dollars(micros: number): string {
  const amount = BigInt(Math.abs(micros));
  const decimals = String(amount % MICROS)
    .padStart(FRACTION_DIGITS, "0")
    .replace(/0{1,4}$/, "");
  return `${micros < 0 ? "-" : ""}$${grouped(amount / MICROS)}.${decimals}`;
}

const isPercentOf = ({ metric }: Line) => metric === "ai_spend";

export interface LineTexts {
  item: string;
  quantity: string;
  price: string;
  amount: string;
}

export function lineTexts(line: Line): LineTexts {
  const { kind, metric, plan, description, quantity, unit_price_micros, per_units, amount_micros } = line;
  const amount = dollars(amount_micros);
  if (metric === null) {
    const isFee = kind === "flat_fee";
    return {
      item: description,
      quantity: isFee ? `${quantity} of ${per_units} days` : "",
      price: isFee ? `${dollars(unit_price_micros)} per month` : "",
      amount,
    };
  }
  const item = plan === null ? METRIC_NAMES[metric] : `${METRIC_NAMES[metric]}, plan ${planLabel(plan)}`;
  if (isPercentOf(line)) {
    const percent = Math.round((unit_price_micros / per_units) * 10_000) / 100;
    return { item, quantity: dollars(quantity), price: `${percent} %`, amount };
  }
  const units = USAGE_UNITS[metric];
  return {
    item,
    quantity: `${grouped(BigInt(quantity))} ${units}`,
    price: `${dollars(unit_price_micros)} per ${per_units === 1 ? "" : `${grouped(BigInt(per_units))} `}${units}`,
    amount,
  };
}
