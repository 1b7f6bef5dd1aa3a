/** Plans a stack's tenants and refuses bad plans before resources are declared, so that a preview fails too. */
import * as pulumi from "@pulumi/pulumi";
import {
  type GatewayFault,
  type GatewayPlan,
  type PoolEntry,
  planGateways,
} from "#domain/ai-gateways/gateway-selection.ts";
import { poolFaults } from "#domain/ai-gateways/pool-changes.ts";
import type { Environment } from "#domain/environment.ts";
import { errorLine, type Fault } from "#domain/errors/catalogue-error.ts";
import { planErrors, planRefusals } from "#domain/errors/stack/stack-plan.ts";
import { isForeign } from "#domain/tenants/owner.ts";
import { currentStack } from "../current-stack.ts";
import { refuseFaults } from "../refusal.ts";
import type { AiGatewaySettings, ClientSettings, PartnerSettings } from "../settings/settings.ts";
import { refuseDoors } from "./doors/doors.ts";
import { checkDoorsHost } from "./doors/doors-host.ts";
import { refuseForeignOwners } from "./foreign-owners.ts";
import { refuseOtherManager } from "./other-manager.ts";
import type { FleetSnapshot } from "./snapshot.ts";

export interface FleetPlanArgs {
  environment: Environment;
  managedBy: "git" | "dashboard";
  partners: readonly PartnerSettings[];
  clients: readonly ClientSettings[];
  createDedicatedAiGateways: boolean;
  /** The pool that this stack declares; undefined if another stack declares it. */
  poolSettings?: readonly AiGatewaySettings[];
  snapshot: FleetSnapshot;
  /** Slugs and gateway ids to take over from other stacks. */
  takeOver: ReadonlySet<string>;
}

export interface FleetPlan {
  /** AI gateway of each declared tenant by slug. */
  choices: GatewayPlan["choices"];
  /** Slugs of the stack's clients that are no longer declared. */
  removed: ReadonlySet<string>;
}

/**
 * Plans the AI gateway of each tenant, and the removals. Call it before declaring resources: declared resources are created even if
 * the program fails later.
 * @throws RunError with each client without an available gateway or partner, resources of other stacks or managers, and partners
 *   and pool gateways that clients still need
 */
export function planFleet(args: FleetPlanArgs): FleetPlan {
  const { environment, clients, poolSettings, snapshot, createDedicatedAiGateways } = args;
  const removed = removedClients(clients, snapshot);
  refuseForeignOwners({ ...args, aiGateways: poolSettings ?? [] }, snapshot, args.takeOver);
  checkDoorsHost(clients, snapshot);
  refuseDoors(clients, snapshot, args.takeOver);
  refuseOtherManager(args.managedBy, clients, snapshot);
  refusePartners(args, removed);
  refuseForeignGateways(poolSettings ?? [], snapshot, environment);
  const entries =
    poolSettings === undefined
      ? snapshot.pool
      : poolSettings.map(({ id, capacity, enabled, environment: only }) => ({
          gatewayId: id,
          environment: only,
          enabled,
          maxInstances: capacity,
          bound: snapshot.pool.find(({ gatewayId }) => gatewayId === id)?.bound ?? 0,
        }));
  const requests = clients.map(({ slug, instances }) => ({
    slug,
    explicit: instances[0]?.aiGateway,
    existing: snapshot.bindings.get(slug),
  }));
  const { choices, faults } = planGateways(requests, entries, environment, createDedicatedAiGateways);
  const plan = { choices, removed };
  refuseFaults(planRefusals.no_ai_gateway_available, faults.map(gatewayFault));
  if (poolSettings !== undefined) refusePoolChanges(entries, plan, snapshot);
  return plan;
}

function gatewayFault({ slug, code, message }: GatewayFault): Fault {
  const [fault = "", remedy = ""] = message.split("; ");
  return errorLine(planErrors.gateway_capacity_missing, { slug, code, fault, remedy });
}

export const isOwned = (owner: string | undefined) => owner !== undefined && !isForeign(owner, currentStack());

function removedClients(settings: readonly ClientSettings[], { clients }: FleetSnapshot): ReadonlySet<string> {
  const declared = new Set(settings.map(({ slug }) => slug));
  return new Set(Object.keys(clients).filter((slug) => isOwned(clients[slug]?.owner) && !declared.has(slug)));
}

/** Refuses partners that do not exist, or would be deleted while clients have them, which the database would refuse late in the run. */
function refusePartners({ clients, partners, snapshot }: FleetPlanArgs, removed: ReadonlySet<string>): void {
  const declared = new Set(partners.map(({ slug }) => slug));
  const leaves = (slug: string) => !declared.has(slug) && isOwned(snapshot.partners[slug]?.owner);
  const isKnown = (slug: string) =>
    declared.has(slug) || (slug in snapshot.partners && !leaves(slug)) || (pulumi.runtime.isDryRun() && snapshot.empty);
  const after = new Map(Object.entries(snapshot.clients).map(([slug, { partner }]) => [slug, partner]));
  for (const slug of removed) after.delete(slug);
  for (const { slug } of clients) after.delete(slug);
  const lines = [
    ...clients.flatMap(({ slug, partner }) =>
      partner === undefined || isKnown(partner)
        ? []
        : [errorLine(planErrors.client_partner_unknown, { slug, partner: JSON.stringify(partner) })],
    ),
    ...[...after].flatMap(([slug, partner]) =>
      partner !== undefined && leaves(partner)
        ? [errorLine(planErrors.partner_still_used, { slug, partner: JSON.stringify(partner) })]
        : [],
    ),
  ];
  refuseFaults(planRefusals.partners_unknown, lines);
}

/** Refuses to delete or shrink a gateway that tenants still bind, which the database would refuse in the middle of the run. */
function refusePoolChanges(
  after: readonly PoolEntry[],
  { choices, removed }: FleetPlan,
  { pool, bindings }: FleetSnapshot,
): void {
  const declared = new Set(after.map(({ gatewayId }) => gatewayId));
  const lines = poolFaults({
    before: pool.filter(({ gatewayId, owner }) => declared.has(gatewayId) || isOwned(owner)),
    after,
    bindings,
    choices,
    removed,
  });
  refuseFaults(planRefusals.pool_too_small, lines);
}

/** If two stacks declared one gateway, the deletion of either stack would delete it. */
function refuseForeignGateways(
  settings: readonly AiGatewaySettings[],
  snapshot: FleetSnapshot,
  environment: Environment,
): void {
  const owners = new Map(snapshot.pool.map(({ gatewayId, declaredBy }) => [gatewayId, declaredBy]));
  const lines = settings.flatMap(({ id }) => {
    const owner = owners.get(id);
    return owner === undefined || owner === environment
      ? []
      : [errorLine(planErrors.pool_gateway_of_other_environment, { gateway: id, environment: owner })];
  });
  refuseFaults(planRefusals.pool_of_other_environment, lines);
}
