/** Which AI gateway an instance is to bind, by the order of the spec ("AI gateway selection at provisioning"). */
import type { Kysely } from "kysely";
import { bindersOutsidePool } from "#database/ai-gateways/entries.ts";
import { planningPool, poolEntries } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { dedicatedGatewayId, planGateways } from "#domain/ai-gateways/gateway-selection.ts";
import type { Settings } from "../../env.ts";
import { Failure } from "../../http/failure.tsx";

/** A gateway as the operator names it: by its id at Cloudflare, or by its pool entry's. */
export interface NamedGateway {
  ai_gateway_id?: string | undefined;
  ai_gateway_pool_id?: string | undefined;
}

export interface ChosenGateway {
  kind: "pooled" | "dedicated" | "external";
  gatewayId: string;
  /** Null for a gateway that is not the pool's. */
  poolId: string | null;
}

const unfit = (details: Record<string, string[]>) =>
  new Failure("invalid_request", "The body holds values that cannot be.", details);

/**
 * Chooses as of now; until the transaction's end nobody else chooses.
 *
 * @param tenant.existing the gateway that it binds and keeps unless another is named
 * @throws Failure `no_ai_gateway_capacity` where there is none, `invalid_request` for a name of none
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
    throw unfit({ ai_gateway_pool_id: ["there is no such entry in the pool"] });
  }
  if (entry !== undefined && named.ai_gateway_id !== undefined && named.ai_gateway_id !== entry.gatewayId) {
    throw unfit({ ai_gateway_id: [`is not that of the pool's entry, which is ${entry.gatewayId}; leave it out`] });
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
    throw new Failure("no_ai_gateway_capacity", `${sentence(fault?.message ?? "there is no AI gateway")}.`);
  }
  if (choice.kind === "external") await requireNobodysOwn(db, settings, tenant.clientId, choice.gatewayId);
  const poolId =
    choice.kind === "pooled" ? pool.find(({ gatewayId }) => gatewayId === choice.gatewayId)?.id : undefined;
  return { kind: choice.kind, gatewayId: choice.gatewayId, poolId: poolId ?? null };
}

/**
 * The gateway that a tenant to come would bind as of now, which may be another's when it is asked for.
 *
 * @returns why there is none, in place of it
 */
export async function foreseeGateway(
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
    return { fault: `${sentence(plan.faults[0]?.message ?? "there is no AI gateway")}.` };
  }
  return { kind: choice.kind, gatewayId: choice.gatewayId };
}

/** A gateway that another tenant owns goes with that one. */
async function requireNobodysOwn(db: Kysely<DB>, settings: Settings, clientId: string, id: string): Promise<void> {
  const binders = await bindersOutsidePool(db, id, { exceptClientId: clientId });
  if (binders.some((slug) => dedicatedGatewayId(slug, settings.ENVIRONMENT) === id)) {
    throw new Failure("conflict", `AI gateway ${id} is another tenant's own; choose another.`);
  }
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
