import type { ResourceValidationPolicy } from "@pulumi/policy";
import * as z from "zod";
import { PLAN_AI_SPEND, plans } from "#domain/plans/plan.ts";
import { LATER } from "../known.ts";
import { AI_GATEWAY, readAiGateway } from "../resources.ts";

const config = z.object({ limits: z.partialRecord(z.enum(plans), z.number().nullable()).default({}) });

/**
 * What a tenant may spend on models is limited at every AI gateway, by its plan (`domain/plans/plans.ts`, `components/ai-gateways/spend-limits.ts`): a pool's
 * providers are paid by the platform.
 *
 * Setting `limits`: other US dollars by plan, null for none, as `platform.aiSpendLimits` of the stack has them.
 */
export const aiSpendLimits: ResourceValidationPolicy = {
  name: "ai-spend-limits",
  description: "AI gateways limit what tenants of each plan may spend.",
  enforcementLevel: "advisory",
  configSchema: {
    properties: {
      limits: {
        type: "object",
        description: "US dollars in 30 days by plan, where the platform's settings change them; null: no limit.",
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
      if (most !== null && !rules.some((rule) => limits(rule, plan, most))) {
        report(`The AI gateway ${resource.name} lets a tenant of the plan ${plan} spend more than ${most} US dollars.`);
      }
    }
  },
};

type Rule = Exclude<
  Exclude<NonNullable<ReturnType<typeof readAiGateway>["spendLimits"]>, symbol>["rules"],
  symbol
>[number];

/** Whether a rule holds tenants of a plan to `most`, as far as that is known. */
function limits(rule: Rule, plan: string, most: number): boolean {
  if (rule === LATER) return true;
  const { enabled, limit, metadata } = rule;
  if (enabled === false || (limit !== LATER && (limit === undefined || limit > most))) return false;
  const filter = metadata === LATER ? LATER : metadata.plan;
  if (filter === undefined || filter === LATER) return filter === LATER;
  return filter.values === LATER || filter.values.includes(plan);
}
