/** Spend limits of tenants at an AI gateway (vendor: AI Gateway, "Spend limits"). */
import type { AiGatewaySpendLimits } from "@pulumi/cloudflare/types/input.js";
import { type Plan, plans } from "#domain/plans/plan.ts";

/** Seconds of the sliding window: 30 days. */
const WINDOW = 30 * 24 * 3600;

/** US dollars per tenant and 30 days, by plan; null: unlimited. */
export type AiSpendLimits = Readonly<Record<Plan, number | null>>;

/** Returns one rule for each plan with a limit. Rules match the metadata that only the tenant's Worker can set on a request. */
export function spendLimits(limits: AiSpendLimits): AiGatewaySpendLimits {
  const rules = plans.flatMap((plan) => {
    const limit = limits[plan];
    if (limit === null) return [];
    return {
      id: `tenant-${plan}`,
      enabled: true,
      limitType: "cost",
      limit,
      window: WINDOW,
      technique: "sliding",
      metadata: {
        plan: { mode: "filter", values: [plan] },
        // Environments can share a gateway and have tenants of the same name.
        environment: { mode: "partition" },
        tenant: { mode: "partition" },
      },
    };
  });
  return { enabled: rules.length > 0, rules };
}
