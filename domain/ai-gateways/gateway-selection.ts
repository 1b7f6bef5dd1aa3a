/**
 * Which AI gateway each tenant binds (spec: "AI gateway selection at provisioning"): planned for all tenants of a stack
 * at once, and used by the dashboard for one.
 */

import type { Environment } from "../environment.ts";
import { tenantNames } from "../names/deployed-names.ts";

/** A shared AI gateway that several instances may bind. */
export interface PoolEntry {
  /** Id of the gateway at Cloudflare. */
  readonly gatewayId: string;
  /** The one environment that may bind it; `undefined` for any. */
  readonly environment?: Environment | undefined;
  readonly enabled: boolean;
  /** Ceiling of instances that may bind it. */
  readonly maxInstances: number;
  /** Instances that bind it now, those of other stacks included. */
  readonly bound: number;
}

/** A tenant that needs a gateway. */
export interface GatewayRequest {
  readonly slug: string;
  /** A gateway chosen by the operator: a pool entry's, or any other of the account. */
  readonly explicit?: string | undefined;
  /** The gateway it binds already. */
  readonly existing?: { readonly gatewayId: string; readonly pooled: boolean } | undefined;
}

export type GatewayChoice =
  /** A shared gateway; its pool row is bound too. */
  | { readonly kind: "pooled"; readonly gatewayId: string }
  /** A gateway of the tenant's own, which goes with it. */
  | { readonly kind: "dedicated"; readonly gatewayId: string }
  /** A gateway of the account that neither the pool nor the tenant owns. */
  | { readonly kind: "external"; readonly gatewayId: string };

export type GatewayFault = { readonly slug: string; readonly code: "no_ai_gateway_capacity"; readonly message: string };

export interface GatewayPlan {
  readonly choices: ReadonlyMap<string, GatewayChoice>;
  readonly faults: readonly GatewayFault[];
}

/** The id of a tenant's dedicated gateway. */
export function dedicatedGatewayId(slug: string, environment: Environment): string {
  return tenantNames(slug, environment).aiGateway;
}

/**
 * Plans a gateway for every request, in order: the operator's choice or the existing binding; else the enabled pool entry of
 * a matching environment with the fewest bound instances below its ceiling; else a dedicated gateway.
 *
 * @param pool entries with the counts of now; `bound` already counts the requests' existing bindings
 * @param createDedicated whether a tenant for which the pool has no room gets a gateway of its own (default of the
 *   platform: true); when false such a tenant is a fault
 */
export function planGateways(
  requests: readonly GatewayRequest[],
  pool: readonly PoolEntry[],
  environment: Environment,
  createDedicated: boolean,
): GatewayPlan {
  const entries = new Map(pool.map((entry) => [entry.gatewayId, { ...entry }]));
  const choices = new Map<string, GatewayChoice>();
  const faults: GatewayFault[] = [];

  // Tenants that move away free their slots before anyone asks for one.
  for (const { explicit, existing } of requests) {
    const left = existing?.pooled && explicit !== undefined && explicit !== existing.gatewayId;
    const entry = left ? entries.get(existing.gatewayId) : undefined;
    if (entry !== undefined) entry.bound -= 1;
  }

  const undecided: GatewayRequest[] = [];
  for (const request of requests) {
    const { slug, explicit, existing } = request;
    const entry = entries.get(explicit ?? existing?.gatewayId ?? "");
    if (explicit !== undefined && entry === undefined) {
      const kind = explicit === dedicatedGatewayId(slug, environment) ? "dedicated" : "external";
      choices.set(slug, { kind, gatewayId: explicit });
    } else if (entry !== undefined) {
      const fault =
        existing?.pooled && existing.gatewayId === entry.gatewayId ? undefined : refusal(entry, environment);
      if (fault === undefined) {
        if (existing?.gatewayId !== entry.gatewayId || !existing.pooled) entry.bound += 1;
        choices.set(slug, { kind: "pooled", gatewayId: entry.gatewayId });
      } else {
        faults.push({ slug, code: "no_ai_gateway_capacity", message: `AI gateway ${entry.gatewayId} ${fault}` });
      }
    } else if (existing !== undefined && !existing.pooled) {
      const kind = existing.gatewayId === dedicatedGatewayId(slug, environment) ? "dedicated" : "external";
      choices.set(slug, { kind, gatewayId: existing.gatewayId });
    } else {
      undecided.push(request);
    }
  }

  for (const { slug } of undecided) {
    const entry = emptiest([...entries.values()].filter((candidate) => refusal(candidate, environment) === undefined));
    if (entry !== undefined) {
      entry.bound += 1;
      choices.set(slug, { kind: "pooled", gatewayId: entry.gatewayId });
    } else if (createDedicated) {
      choices.set(slug, { kind: "dedicated", gatewayId: dedicatedGatewayId(slug, environment) });
    } else {
      faults.push({
        slug,
        code: "no_ai_gateway_capacity",
        message: "no pool gateway has room; raise a capacity, add a pool gateway, or allow dedicated ones",
      });
    }
  }
  return { choices, faults };
}

/** Why an entry takes no further instance of `environment`. */
export function refusal(entry: PoolEntry, environment: Environment): string | undefined {
  if (!entry.enabled) return "is disabled; enable it or choose another";
  if (entry.environment !== undefined && entry.environment !== environment)
    return `serves ${entry.environment} only; choose another`;
  if (entry.bound >= entry.maxInstances)
    return `holds ${entry.bound} of ${entry.maxInstances} instances; raise its capacity or choose another`;
  return undefined;
}

/** The entry with the fewest bound instances; of equals the first by id, so that a plan does not depend on order. */
function emptiest<E extends PoolEntry>(candidates: readonly E[]): E | undefined {
  return candidates.toSorted((a, b) => a.bound - b.bound || (a.gatewayId < b.gatewayId ? -1 : 1))[0];
}
