import type { ResourceValidationPolicy } from "@pulumi/policy";
import * as z from "zod";
import { PLAN_AI_SPEND, plans } from "#domain/plans/plan.ts";
import { LATER } from "../known.ts";
import { AI_GATEWAY, readAiGateway } from "../resources.ts";

const config = z.object({ limits: z.partialRecord(z.enum(plans), z.number().nullable()).default({}) });

/**
 * Every AI gateway limits the spend of each plan (`domain/plans/plans.ts`), because the platform pays the providers.
 *
 * Setting `limits`: US dollars by plan, null for none, as in the stack's `platform.aiSpendLimits`.
 */
export const aiSpendLimits: ResourceValidationPolicy = {
  name: "ai-spend-limits",
  description: "AI gateways limit the spend of tenants by plan.",
  enforcementLevel: "advisory",
  configSchema: {
    properties: {
      limits: {
        type: "object",
        description: "US dollars in 30 days by plan, if they differ from the defaults; null: no limit.",
        properties: Object.fromEntries(plans.map((plan) => [plan, { type: ["number", "null"] }])),
        additionalProperties: false,
      },
    },
  },
  validateResource: (resource, report) => {
    if (resource.type !== AI_GATEWAY) return;
    const granted = { ...PLAN_AI_SPEND, ...config.parse(resource.getConfig()).limits };
    const { spendLimits } = readAiGateway(resource);
    if (spendLimits === LATER || spendLimits?.rules === LATER) return;
    const rules = spendLimits?.enabled === false ? [] : (spendLimits?.rules ?? []);
    if (rules.includes(LATER)) return;
    for (const plan of plans) {
      const most = granted[plan];
      if (most !== null && !rules.some((rule) => limitsSpend(rule, plan, most))) {
        report(
          `The AI gateway ${resource.name} allows a tenant of the plan ${plan} to spend more than ${most} US dollars.`,
        );
      }
    }
  },
};

type GatewayLimits = Exclude<NonNullable<ReturnType<typeof readAiGateway>["spendLimits"]>, symbol>;
type Rule = Exclude<GatewayLimits["rules"], symbol>[number];

/** Whether a rule limits tenants of a plan to at most `most`, as far as it is known. */
function limitsSpend(rule: Rule, plan: string, most: number): boolean {
  if (rule === LATER) return true;
  const { enabled, limit, metadata } = rule;
  if (enabled === false || (limit !== LATER && (limit === undefined || limit > most))) return false;
  const filter = metadata === LATER ? LATER : metadata.plan;
  if (filter === undefined || filter === LATER) return filter === LATER;
  return filter.values === LATER || filter.values.includes(plan);
}
