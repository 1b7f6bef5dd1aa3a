/** Initial price list of an environment. */
import { planLimits, plans } from "../plans/plan.ts";
import type { Rate } from "./money.ts";
import type { Price } from "./price-list.ts";
import { type UsageMetric, usageMetrics } from "./usage-metric.ts";

const FREE = 0n;

const USAGE_RATES: Readonly<Record<UsageMetric, Rate>> = {
  ai_queries: { micros: 100_000n, perUnits: 1_000n },
  // The providers' prices, without a surcharge.
  ai_spend: { micros: 1n, perUnits: 1n },
  container_activity: { micros: FREE, perUnits: 3_600n },
  container_uptime: { micros: 20_000n, perUnits: 3_600n },
  object_storage_bandwidth: { micros: 10_000n, perUnits: 1_000_000_000n },
  websocket_sessions: { micros: 10_000n, perUnits: 1_000n },
};

export const DEFAULT_PRICES: readonly Price[] = plans.flatMap((plan) => {
  const { monthlyFeeMicros, usageIsFree } = planLimits(plan);
  const always = { plan, validFrom: "2000-01-01" };
  return [
    { ...always, metric: "flat_fee" as const, micros: monthlyFeeMicros, perUnits: 1n },
    ...usageMetrics.map((metric) => {
      const { micros, perUnits } = USAGE_RATES[metric];
      return { ...always, metric, micros: usageIsFree ? FREE : micros, perUnits };
    }),
  ];
});
