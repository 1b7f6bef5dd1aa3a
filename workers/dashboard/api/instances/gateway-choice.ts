/** Chooses the AI gateway of an instance (spec: "AI gateway selection at provisioning"). */
import type { Kysely } from "kysely";
import { bindersOutsidePool } from "#database/ai-gateways/entries.ts";
import { planningPool, poolEntries } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { dedicatedGatewayId, planGateways } from "#domain/ai-gateways/gateway-selection.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { gatewayChoiceErrors } from "#domain/errors/gateway-choice.ts";
import { stateError } from "#domain/errors/stated.ts";
import type { Settings } from "../../env.ts";
import { Failure, failure, invalidInput } from "../../http/failure.tsx";

/** The operator's choice: the ID of a gateway at Cloudflare, or of a pool entry. */
export interface NamedGateway {
  ai_gateway_id?: string | undefined;
  ai_gateway_pool_id?: string | undefined;
}

export interface ChosenGateway {
  kind: "pooled" | "dedicated" | "external";
  gatewayId: string;
  /** Null for a gateway outside the pool. */
  poolId: string | null;
}

/**
 * Chooses a gateway. Concurrent choices wait for the end of the transaction.
 *
 * @param tenant.existing the current gateway, which it keeps unless another is specified
 * @throws Failure `no_ai_gateway_capacity`, or `invalid_request` for an unknown gateway
 */
export async function chooseGateway(
  db: Kysely<DB>,
  settings: Settings,
  tenant: { slug: string; clientId: string; existing?: { id: string; pool_id: string | null } | undefined },
  named: NamedGateway,
): Promise<ChosenGateway> {
  const { slug, existing } = tenant;
  const pool = await planningPool(db);
  const entry = pool.find(({ id }) => id === named.ai_gateway_pool_id);
  if (named.ai_gateway_pool_id !== undefined && entry === undefined) {
    throw invalidInput("body", { ai_gateway_pool_id: ["is not the ID of a pool entry"] });
  }
  if (entry !== undefined && named.ai_gateway_id !== undefined && named.ai_gateway_id !== entry.gatewayId) {
    throw invalidInput("body", {
      ai_gateway_id: [`differs from the pool entry, which is ${entry.gatewayId}; omit it`],
    });
  }
  const explicit = entry?.gatewayId ?? named.ai_gateway_id;
  const request = {
    slug,
    explicit,
    existing: existing && { gatewayId: existing.id, pooled: existing.pool_id !== null },
  };
  const plan = planGateways([request], pool, settings.ENVIRONMENT, settings.AI_GATEWAY_CREATE_DEDICATED);
  const [fault] = plan.faults;
  const choice = plan.choices.get(slug);
  if (fault !== undefined || choice === undefined) {
    throw new Failure(fault ?? NO_ROOM);
  }
  if (choice.kind === "external") await requireNotDedicated(db, settings, tenant.clientId, choice.gatewayId);
  const poolId =
    choice.kind === "pooled" ? pool.find(({ gatewayId }) => gatewayId === choice.gatewayId)?.id : undefined;
  return { kind: choice.kind, gatewayId: choice.gatewayId, poolId: poolId ?? null };
}

/**
 * Returns the gateway that a new tenant would bind now, without a reservation, or why there is none.
 */
export async function previewGateway(
  db: Kysely<DB>,
  settings: Settings,
  slug: string,
): Promise<{ kind: "pooled" | "dedicated"; gatewayId: string } | { fault: string }> {
  const plan = planGateways(
    [{ slug }],
    await poolEntries(db),
    settings.ENVIRONMENT,
    settings.AI_GATEWAY_CREATE_DEDICATED,
  );
  const choice = plan.choices.get(slug);
  if (choice === undefined || choice.kind === "external") {
    return { fault: (plan.faults[0] ?? NO_ROOM).message };
  }
  return { kind: choice.kind, gatewayId: choice.gatewayId };
}

/** @throws Failure `conflict` for another tenant's dedicated gateway, which is deleted with that tenant */
async function requireNotDedicated(db: Kysely<DB>, settings: Settings, clientId: string, id: string): Promise<void> {
  const binders = await bindersOutsidePool(db, id, { exceptClientId: clientId });
  if (binders.some((slug) => dedicatedGatewayId(slug, settings.ENVIRONMENT) === id)) {
    throw failure(instanceErrors.ai_gateway_of_other_tenant, { gateway: id });
  }
}

const NO_ROOM = stateError(gatewayChoiceErrors.no_pool_gateway_has_room);
