/** What follows from the table of plans. */
import { BACKUP_INTERVAL_SECONDS, PLANS, type PlanTerms } from "./plans.ts";

export type Plan = keyof typeof PLANS;

/** The plans' names, in the order of the table. */
export const plans = Object.keys(PLANS) as [Plan, ...Plan[]];

/** What a plan grants and costs. */
export const planLimits = (plan: Plan): PlanTerms => PLANS[plan];

/** One value for each plan. */
export function byPlan<T>(factOf: (terms: PlanTerms, plan: Plan) => T): Record<Plan, T> {
  return Object.fromEntries(plans.map((plan) => [plan, factOf(planLimits(plan), plan)])) as Record<Plan, T>;
}

/** The name that people read. */
export const planLabel = (plan: Plan): string => planLimits(plan).label;

const highest = (limit: "cpuMs" | "subrequests") => Math.max(...plans.map((plan) => planLimits(plan)[limit]));

/**
 * The limits of every tenant's script: CPU time of an invocation in milliseconds, and subrequests. They are the most that a plan grants, since a
 * script's limits also apply to its Durable Objects, which do the platform's work (a waking with a restore makes more calls than the free plan
 * grants). The plan's own limits go with each dispatch; of two limits the smaller one applies.
 */
export const SCRIPT_LIMITS = { cpuMs: highest("cpuMs"), subrequests: highest("subrequests") } as const;

/** Instance type of each plan's containers, where the platform's settings name no other. */
export const PLAN_CONTAINERS = byPlan(({ container }) => container);

/** US dollars that a tenant of each plan may spend at the AI gateways in 30 days, where the platform's settings say nothing else; null: no limit. */
export const PLAN_AI_SPEND = byPlan(({ aiSpendUsd }) => aiSpendUsd);

/** The variables by which a plan's terms reach its tenants' Workers; `undefined`: the Worker has none. */
export function planVariables(plan: Plan) {
  const { storageBytes, backupIntervalSeconds, sleepAfterSeconds, sleepsWithChannels } = planLimits(plan);
  return {
    BACKUP_STORAGE_BYTES: storageBytes?.toString(),
    // The Worker's own default needs no variable.
    BACKUP_INTERVAL_SECONDS:
      backupIntervalSeconds === BACKUP_INTERVAL_SECONDS ? undefined : String(backupIntervalSeconds),
    SLEEP_AFTER_SECONDS: sleepAfterSeconds?.toString(),
    SLEEP_WITH_CHANNELS: sleepsWithChannels ? "1" : undefined,
  };
}
