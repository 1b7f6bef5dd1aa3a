import {
  type AccountUse,
  accountNeeds,
  accountUse,
  type KnownTenant,
  limitFaults,
  sizesOf,
  type TenantShape,
} from "#domain/plans/account-limits.ts";
import { refuseFaults } from "../refusal.ts";
import type { FleetPlan, FleetPlanArgs } from "./plan.ts";
import type { FleetSnapshot } from "./snapshot.ts";

/**
 * Refuses a run that would exceed the account's limits, counting the tenants of all stacks and environments in the database. A run
 * that adds nothing to an exceeded limit continues. Call it before declaring resources, so that a preview fails too.
 * @throws RunError with each limit, its numbers and its setting
 */
export function refuseBeyondLimits(
  { environment, poolSettings = [], snapshot }: FleetPlanArgs,
  { choices }: Pick<FleetPlan, "choices">,
  { shape, limits }: { shape: TenantShape; limits: AccountUse },
): void {
  const { pool, tenantCounts, needs: neededBefore } = snapshot;
  const sizes = sizesOf({ environment, existing: knownTenants(snapshot), declared: choices });
  const needs = accountNeeds(shape);
  // An environment without tenant counts has no platform either.
  const before = tenantCounts.has(environment) ? new Map(tenantCounts).set(environment, sizes.before) : tenantCounts;
  const during = new Map(tenantCounts).set(environment, sizes.during);
  const pooled = new Set([...pool.map(({ gatewayId }) => gatewayId), ...poolSettings.map(({ id }) => id)]);
  const use = {
    before: accountUse(before, pool.length, neededBefore ?? needs),
    during: accountUse(during, pooled.size, needs),
  };
  refuseFaults("the account would have to hold", limitFaults(use, limits, during));
}

/** Returns tenants that bind a gateway, and Git's tenants of which only the client's row exists yet. */
function knownTenants({ bindings, clients }: FleetSnapshot): Map<string, KnownTenant> {
  const started = Object.entries(clients)
    .filter(([, { isDashboards }]) => !isDashboards)
    .map(([slug]): [string, KnownTenant] => [slug, { gateway: undefined, isDeployed: false }]);
  const bound = [...bindings].map(([slug, { isDeployed, ...gateway }]): [string, KnownTenant] => [
    slug,
    { gateway, isDeployed },
  ]);
  return new Map([...started, ...bound]);
}
