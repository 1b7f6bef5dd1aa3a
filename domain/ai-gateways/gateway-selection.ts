/** Selects the AI gateway of each tenant (spec: "AI gateway selection at provisioning"): for all of a stack, or for one in the dashboard. */
import type { Environment } from "../environment.ts";
import { tenantNames } from "../names/deployed-names.ts";

/** A shared AI gateway that several instances may bind. */
export interface PoolEntry {
  /** Id of the gateway at Cloudflare. */
  readonly gatewayId: string;
  /** The one environment that may bind it; `undefined` for any. */
  readonly environment?: Environment | undefined;
  readonly enabled: boolean;
  /** Maximum number of instances that bind it. */
  readonly maxInstances: number;
  /** Instances that bind it now, also those of other stacks. */
  readonly bound: number;
}

/** A tenant that needs a gateway. */
export interface GatewayRequest {
  readonly slug: string;
  /** The operator's choice: a pool entry's gateway, or another of the account. */
  readonly explicit?: string | undefined;
  /** The gateway that it binds now. */
  readonly existing?: { readonly gatewayId: string; readonly pooled: boolean } | undefined;
}

export type GatewayChoice =
  /** A gateway of the pool. */
  | { readonly kind: "pooled"; readonly gatewayId: string }
  /** A gateway of the tenant's own, deleted with it. */
  | { readonly kind: "dedicated"; readonly gatewayId: string }
  /** Another gateway of the account. */
  | { readonly kind: "external"; readonly gatewayId: string };

export type GatewayFault = { readonly slug: string; readonly code: "no_ai_gateway_capacity"; readonly message: string };

export interface GatewayPlan {
  readonly choices: ReadonlyMap<string, GatewayChoice>;
  readonly faults: readonly GatewayFault[];
}

/** The id of a tenant's dedicated gateway. */
export const dedicatedGatewayId = (slug: string, environment: Environment): string =>
  tenantNames(slug, environment).aiGateway;

/**
 * Plans a gateway for each request, in order: the operator's choice or the existing binding; else the least used pool entry with room that
 * is enabled for the environment; else a dedicated gateway.
 *
 * @param pool entries whose `bound` includes the requests' existing bindings
 * @param createDedicated whether a tenant without room in the pool gets a dedicated gateway; otherwise it is a fault
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

  // Tenants that leave free their slots first.
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
        existing?.pooled && existing.gatewayId === entry.gatewayId ? undefined : gatewayRefusal(entry, environment);
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
    const entry = leastUsed(
      [...entries.values()].filter((candidate) => gatewayRefusal(candidate, environment) === undefined),
    );
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

/** Returns why an entry accepts no further instance of the environment. */
export function gatewayRefusal(entry: PoolEntry, environment: Environment): string | undefined {
  if (!entry.enabled) return "is disabled; enable it or choose another";
  if (entry.environment !== undefined && entry.environment !== environment)
    return `serves ${entry.environment} only; choose another`;
  if (entry.bound >= entry.maxInstances)
    return `holds ${entry.bound} of ${entry.maxInstances} instances; raise its capacity or choose another`;
  return undefined;
}

/** Entries with equal counts are ordered by ID, so that a plan does not depend on their order. */
const leastUsed = <E extends PoolEntry>(candidates: readonly E[]): E | undefined =>
  candidates.toSorted((a, b) => a.bound - b.bound || (a.gatewayId < b.gatewayId ? -1 : 1))[0];
