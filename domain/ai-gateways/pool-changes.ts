/** Conflicts between a stack's changes to its pool of AI gateways and the tenants that bind them. */

import { errorLine, type Fault } from "../errors/catalogue-error.ts";
import { planRuleErrors } from "../errors/stack/plan-rules.ts";
import type { GatewayChoice, PoolEntry } from "./gateway-selection.ts";

export interface PoolChange {
  /** Current entries of the stack, with all bound instances. */
  readonly before: readonly PoolEntry[];
  /** Declared entries. */
  readonly after: readonly PoolEntry[];
  /** Current gateway of each tenant, also those of other stacks, by slug. */
  readonly bindings: ReadonlyMap<string, { readonly gatewayId: string; readonly pooled: boolean }>;
  /** Planned gateway of each tenant of this stack. */
  readonly choices: ReadonlyMap<string, GatewayChoice>;
  /** Slugs that this run removes. */
  readonly removed: ReadonlySet<string>;
}

/** Returns a sentence for each entry that cannot be removed or reduced. */
export function poolFaults({ before, after, bindings, choices, removed }: PoolChange): Fault[] {
  const declared = new Map(after.map((entry) => [entry.gatewayId, entry]));
  return before.flatMap(({ gatewayId, bound }) => {
    const known = [...bindings].filter(([, binding]) => binding.gatewayId === gatewayId && binding.pooled);
    const leaves = (slug: string) => removed.has(slug) || (choices.get(slug)?.gatewayId ?? gatewayId) !== gatewayId;
    const stay = known.map(([slug]) => slug).filter((slug) => !leaves(slug));
    const come = [...choices].filter(([slug, choice]) => choice.gatewayId === gatewayId && !stay.includes(slug));
    const slugs = [...stay, ...come.map(([slug]) => slug)].toSorted();
    const others = bound - known.length;
    const left = slugs.length + others;
    const entry = declared.get(gatewayId);
    if (left === 0 || (entry !== undefined && entry.maxInstances >= left)) return [];
    const who = [...slugs, ...(others > 0 ? [`${others} of other environments`] : [])].join(", ");
    const values = { gateway: gatewayId, tenants: who };
    return entry === undefined
      ? [errorLine(planRuleErrors.pool_gateway_still_bound, values)]
      : [errorLine(planRuleErrors.pool_gateway_too_small, { ...values, capacity: entry.maxInstances, bound: left })];
  });
}
