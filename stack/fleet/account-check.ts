import {
  type AccountUse,
  accountNeeds,
  accountUse,
  type KnownTenant,
  limitFaults,
  sizesOf,
  type TenantShape,
} from "#domain/plans/account-limits.ts";
import { refuse } from "../refusal.ts";
import type { FleetPlan, FleetPlanArgs } from "./plan.ts";
import type { FleetSnapshot } from "./snapshot.ts";

/**
 * Refuses a run that would make more of something than the account may hold, tenants of all stacks and environments counted as the database
 * has them. A run that adds nothing of it goes on, however much there is. To be called before anything is declared: a preview says so too.
 *
 * @throws RunError naming each limit, with the numbers and the setting
 */
export function refuseBeyondLimits(
  { environment, poolSettings = [], snapshot }: FleetPlanArgs,
  { choices }: Pick<FleetPlan, "choices">,
  { shape, limits }: { shape: TenantShape; limits: AccountUse },
): void {
  const { pool, tenantCounts, needs: neededBefore } = snapshot;
  const sizes = sizesOf({ environment, existing: knownTenants(snapshot), declared: choices });
  const needs = accountNeeds(shape);
  // An environment that nobody has deployed has no platform either.
  const before = tenantCounts.has(environment) ? new Map(tenantCounts).set(environment, sizes.before) : tenantCounts;
  const during = new Map(tenantCounts).set(environment, sizes.during);
  const pooled = new Set([...pool.map(({ gatewayId }) => gatewayId), ...poolSettings.map(({ id }) => id)]);
  const use = {
    before: accountUse(before, pool.length, neededBefore ?? needs),
    during: accountUse(during, pooled.size, needs),
  };
  refuse("the account would have to hold", limitFaults(use, limits, during));
}

/** Those that bind a gateway, and those of Git of which no more than the client's row is written yet. */
function knownTenants({ bindings, clients }: FleetSnapshot): Map<string, KnownTenant> {
  const begun = Object.entries(clients).flatMap(([slug, { isDashboards }]): [string, KnownTenant][] =>
    isDashboards ? [] : [[slug, { gateway: undefined, isDeployed: false }]],
  );
  const bound = [...bindings].map(([slug, { isDeployed, ...gateway }]): [string, KnownTenant] => [
    slug,
    { gateway, isDeployed },
  ]);
  return new Map([...begun, ...bound]);
}
