/** What tenants may spend at an AI gateway (vendor: AI Gateway, "Spend limits"). */
import type { AiGatewaySpendLimits } from "@pulumi/cloudflare/types/input.js";
import { type Plan, plans } from "#domain/plans/plan.ts";

/** In seconds: 30 days, of which the vendor weighs the part that is still in sight. */
const WINDOW = 30 * 24 * 3600;

/** US dollars that a tenant of each plan may spend in 30 days; null: no limit. */
export type AiSpendLimits = Readonly<Record<Plan, number | null>>;

/**
 * A rule for each plan that has a limit, by which every tenant has a budget of its own. They go by the metadata that the tenant's Worker
 * gives each request, and nobody else can.
 */
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
        // Environments may share a gateway, and have tenants of one name.
        environment: { mode: "partition" },
        tenant: { mode: "partition" },
      },
    };
  });
  return { enabled: rules.length > 0, rules };
}
