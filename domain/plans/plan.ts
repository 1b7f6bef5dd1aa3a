/** Values derived from the table of plans. */
import { BACKUP_INTERVAL_SECONDS, PLANS, type PlanTerms } from "./plans.ts";

export type Plan = keyof typeof PLANS;

export const plans = Object.keys(PLANS) as [Plan, ...Plan[]];

export const planLimits = (plan: Plan): PlanTerms => PLANS[plan];

/** Returns one value for each plan. */
export const byPlan = <T>(factOf: (terms: PlanTerms, plan: Plan) => T): Record<Plan, T> =>
  Object.fromEntries(plans.map((plan) => [plan, factOf(planLimits(plan), plan)])) as Record<Plan, T>;

export const planLabel = (plan: Plan): string => planLimits(plan).label;

const highestLimit = (limit: "cpuMs" | "subrequests") => Math.max(...plans.map((plan) => planLimits(plan)[limit]));

/**
 * Limits of every tenant's script: CPU milliseconds and subrequests of an invocation. They are the maxima of all plans, because they also
 * apply to the script's Durable Objects, which do the platform's work (a restore makes more subrequests than the free plan grants). Each
 * dispatch sets the plan's own limits; the smaller limit applies.
 */
export const SCRIPT_LIMITS = { cpuMs: highestLimit("cpuMs"), subrequests: highestLimit("subrequests") } as const;

/** Default instance type of each plan's containers. */
export const PLAN_CONTAINERS = byPlan(({ container }) => container);

/** Default spend limit of each plan at the AI gateways, in US dollars per 30 days; null: no limit. */
export const PLAN_AI_SPEND = byPlan(({ aiSpendUsd }) => aiSpendUsd);

/** Variables of a tenant's Worker with the terms of its plan; `undefined`: the Worker does not get the variable. */
export function planVariables(plan: Plan) {
  const { storageBytes, backupIntervalSeconds, sleepAfterSeconds, sleepsWithChannels, inboxMessages } =
    planLimits(plan);
  return {
    BACKUP_STORAGE_BYTES: storageBytes?.toString(),
    BACKUP_INTERVAL_SECONDS:
      backupIntervalSeconds === BACKUP_INTERVAL_SECONDS ? undefined : String(backupIntervalSeconds),
    SLEEP_AFTER_SECONDS: sleepAfterSeconds?.toString(),
    INBOX_MESSAGES: String(inboxMessages),
    SLEEP_WITH_CHANNELS: sleepsWithChannels ? "1" : undefined,
  };
}
