import { type AccountUse, accountUse, limitFaults, sizeAfter, type TenantShape } from "../../domain/account-limits.ts";
import { refuse } from "../refusal.ts";
import { type FleetPlan, type FleetPlanArgs, isOwn } from "./plan.ts";

/**
 * Refuses a run after which the account would hold more than it may, tenants of all stacks and environments counted as the database has
 * them. To be called before anything is declared: a preview says so too.
 *
 * @throws RunError naming each limit, with the numbers and the setting
 */
export function refuseBeyondLimits(
  { environment, poolSettings, snapshot }: FleetPlanArgs,
  { choices, removed }: FleetPlan,
  { shape, limits }: { shape: TenantShape; limits: AccountUse },
): void {
  const { bindings, pool, tenantCounts } = snapshot;
  const change = { environment, existing: bindings, declared: choices, removed };
  const environments = new Map(tenantCounts).set(environment, sizeAfter(change));
  const others = pool.filter(({ owner }) => poolSettings === undefined || !isOwn(owner));
  const pooled = new Set([...others.map(({ gatewayId }) => gatewayId), ...(poolSettings ?? []).map(({ id }) => id)]);
  const faults = limitFaults(accountUse(environments, pooled.size, shape), limits, environments);
  refuse("the account would have to hold", faults);
}
