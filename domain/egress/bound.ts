/** What binds all tenants of a platform. */
import { type Plan, planLimits } from "../plans/plan.ts";
import type { EgressBound, EgressPolicy, PlatformHosts } from "./policy-types.ts";

/** Hosts that control the account. Those of all Access teams are refused, because an agent has no login at any. */
const CONTROL_HOSTS = ["api.cloudflare.com", "dash.cloudflare.com", "cloudflareaccess.com"];

export const platformHosts = (domain: string): PlatformHosts => ({ domain, refused: CONTROL_HOSTS });

/** @param policy of the platform */
export const platformBound = (domain: string, policy: EgressPolicy): EgressBound => ({
  layers: [policy],
  platform: platformHosts(domain),
});

/** Returns a tenant's bound: the plan's default, then that of the platform. */
export function tenantBound(plan: Plan, domain: string, policy: EgressPolicy): EgressBound {
  const { layers, platform } = platformBound(domain, policy);
  return { layers: [planEgress(plan), ...layers], platform };
}

export const planEgress = (plan: Plan): EgressPolicy => ({ mode: planLimits(plan).egress, entries: [] });
