/** What a change of the plan costs: the fees of a month, as the month's invoice has them. */
import type { Plan } from "../plans/plan.ts";
import type { BillingMonth } from "./billing-month.ts";
import type { Tariff } from "./day-charge.ts";
import { feeLines } from "./invoice.ts";
import { totalAmount } from "./money.ts";
import { type PlanSpan, PriceMissing, planOn, priceOf } from "./price-list.ts";

/** Returns the plans after a change today, as the database notes it: a plan that was charged earlier today stays charged for the day. */
export function plansAfter(plans: Tariff["plans"], to: Plan, today: string): Tariff["plans"] {
  const last = planOn(plans, today);
  if (last.plan === to) return plans;
  const before = plans.filter(({ validFrom }) => validFrom < today);
  const already = last.validFrom === today ? (last.also ?? []) : [];
  const left = last.billed && !already.includes(last.plan) ? [last.plan] : [];
  const next: PlanSpan = { validFrom: today, plan: to, billed: last.billed, also: [...already, ...left] };
  const [first, ...others] = [...before, next];
  return first === undefined ? plans : [first, ...others];
}

export interface PlanPrice {
  /** As of today. */
  monthlyMicros: bigint;
  /** Fees of this month if the plan changes today. */
  monthMicros: bigint;
}

/** Returns what a client pays for a plan; undefined for a plan without a price. */
export function planPrice(month: BillingMonth, tariff: Tariff, to: Plan, today: string): PlanPrice | undefined {
  try {
    const plans = plansAfter(tariff.plans, to, today);
    const lines = feeLines(month, { ...tariff, plans });
    return {
      monthlyMicros: priceOf(tariff.prices, to, "flat_fee", today).micros,
      monthMicros: totalAmount(lines.map(({ amountMicros }) => amountMicros)),
    };
  } catch (error) {
    if (error instanceof PriceMissing) return undefined;
    throw error;
  }
}
