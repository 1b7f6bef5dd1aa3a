/**
 * Billing plans and what each one grants (spec: "Plan limits").
 */
import type { InstanceType } from "./instance-type.ts";

export const plans = ["free", "basic", "pro", "enterprise"] as const;
export type Plan = (typeof plans)[number];

/** What a plan grants one tenant. */
export interface PlanLimits {
  /** CPU time of one request, in milliseconds. */
  readonly cpuMs: number;
  /** Subrequests of one request. */
  readonly subrequests: number;
  /** Backup storage in bytes; `undefined` where it is agreed per customer. */
  readonly storageBytes: number | undefined;
  /** Seconds without traffic after which the container sleeps; `undefined` where it never does. */
  readonly sleepAfterSeconds: number | undefined;
  /** Whether it sleeps although its gateway holds channels connected (Telegram, a Slack socket), which then hear of nothing. */
  readonly sleepsWithChannels: boolean;
}

const GB = 1_000_000_000;

const LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    cpuMs: 10_000,
    subrequests: 10,
    storageBytes: 2 * GB,
    sleepAfterSeconds: 600,
    sleepsWithChannels: true,
  },
  basic: {
    cpuMs: 30_000,
    subrequests: 50,
    storageBytes: 8 * GB,
    sleepAfterSeconds: 1_800,
    sleepsWithChannels: false,
  },
  pro: {
    cpuMs: 50_000,
    subrequests: 100,
    storageBytes: 12 * GB,
    sleepAfterSeconds: 7_200,
    sleepsWithChannels: false,
  },
  enterprise: {
    cpuMs: 90_000,
    subrequests: 1000,
    storageBytes: undefined,
    sleepAfterSeconds: undefined,
    sleepsWithChannels: false,
  },
};

/**
 * What any invocation of a tenant's script may use, in milliseconds of CPU time and in subrequests: the most that a plan grants. A
 * script's own limits bind its Durable Objects too, which do the platform's work (a waking with a restore makes more calls than the
 * free plan grants); what the plan grants a request goes with its dispatch, and the smaller one counts.
 */
export const SCRIPT_LIMITS = { cpuMs: LIMITS.enterprise.cpuMs, subrequests: LIMITS.enterprise.subrequests } as const;

/** Instance type of each plan's containers, where the platform says nothing else. */
export const PLAN_CONTAINERS: Readonly<Record<Plan, InstanceType>> = {
  free: "lite",
  basic: "standard-1",
  pro: "standard-2",
  enterprise: "standard-3",
};

/** What a tenant of each plan may spend at the AI gateways in 30 days, in US dollars, where the platform says nothing else; null: no limit. */
export const PLAN_AI_SPEND: Readonly<Record<Plan, number | null>> = {
  free: 5,
  basic: 50,
  pro: 200,
  // Agreed per customer.
  enterprise: null,
};

/** The limits of a plan. */
export function planLimits(plan: Plan): PlanLimits {
  return LIMITS[plan];
}
