/** What a run makes of a stack's tenants, planned and refused before anything is declared, so that a preview tells all of it. */
import * as pulumi from "@pulumi/pulumi";
import { type GatewayPlan, type PoolEntry, planGateways } from "#domain/ai-gateways/gateway-selection.ts";
import { poolFaults } from "#domain/ai-gateways/pool-changes.ts";
import type { Environment } from "#domain/environment.ts";
import { isForeign } from "#domain/tenants/owner.ts";
import { currentStack } from "../current-stack.ts";
import { refuse } from "../refusal.ts";
import type { AiGatewaySettings, ClientSettings, PartnerSettings } from "../settings/settings.ts";
import { refuseForeignOwners } from "./foreign-owners.ts";
import { refuseOtherManager } from "./other-manager.ts";
import type { FleetSnapshot } from "./snapshot.ts";

/** What a fleet's gateways are planned from. */
export interface FleetPlanArgs {
  environment: Environment;
  /** Who says what the clients are. */
  managedBy: "git" | "dashboard";
  partners: readonly PartnerSettings[];
  clients: readonly ClientSettings[];
  createDedicatedAiGateways: boolean;
  /** The pool that this stack declares; none where another stack declares it. */
  poolSettings?: readonly AiGatewaySettings[];
  /** What the database held before this run. */
  snapshot: FleetSnapshot;
  /** Slugs and gateway ids that this run may take over from other stacks. */
  takeOver: ReadonlySet<string>;
}

/** What a run is to make of the stack's tenants. */
export interface FleetPlan {
  /** The AI gateway of each tenant that the stack declares, by slug. */
  choices: GatewayPlan["choices"];
  /** Slugs of the stack's clients that are declared no more. */
  removed: ReadonlySet<string>;
}

/**
 * Plans each tenant's AI gateway, and who goes. To be called before anything is declared: what is declared is made though the program fails
 * afterwards.
 *
 * @throws RunError naming each client whose gateway or partner cannot be had or that cannot be removed, what is another stack's or manager's,
 *   and partners and pool entries that clients would lose
 */
export function planFleet(args: FleetPlanArgs): FleetPlan {
  const { environment, clients, poolSettings, snapshot, createDedicatedAiGateways } = args;
  const removed = removedClients(clients, snapshot);
  refuseForeignOwners({ ...args, aiGateways: poolSettings ?? [] }, snapshot, args.takeOver);
  refuseOtherManager(args.managedBy, clients, snapshot);
  refusePartners(args, removed);
  refuseOthersEntries(poolSettings ?? [], snapshot, environment);
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
  refuse(
    "AI gateways cannot be had for every tenant:",
    faults.map(({ slug, code, message }) => `${slug}: ${code}: ${message}`),
  );
  if (poolSettings !== undefined) refusePoolChanges(entries, plan, snapshot);
  return plan;
}

/** Whether this stack has what a row's owner says; nobody's is nobody's. */
export const isOwn = (owner: string | undefined) => owner !== undefined && !isForeign(owner, currentStack());

function removedClients(settings: readonly ClientSettings[], { clients }: FleetSnapshot): ReadonlySet<string> {
  const declared = new Set(settings.map(({ slug }) => slug));
  return new Set(Object.keys(clients).filter((slug) => isOwn(clients[slug]?.owner) && !declared.has(slug)));
}

/** Partners that are not there, or would go while clients have them: the database would refuse that at the end of the run. */
function refusePartners({ clients, partners, snapshot }: FleetPlanArgs, removed: ReadonlySet<string>): void {
  const declared = new Set(partners.map(({ slug }) => slug));
  const leaves = (slug: string) => !declared.has(slug) && isOwn(snapshot.partners[slug]?.owner);
  const isKnown = (slug: string) =>
    declared.has(slug) || (slug in snapshot.partners && !leaves(slug)) || (pulumi.runtime.isDryRun() && snapshot.empty);
  const after = new Map(Object.entries(snapshot.clients).map(([slug, { partner }]) => [slug, partner]));
  for (const slug of removed) after.delete(slug);
  for (const { slug } of clients) after.delete(slug);
  const lines = [
    ...clients.flatMap(({ slug, partner }) =>
      partner === undefined || isKnown(partner)
        ? []
        : [`${slug}: unknown partner ${JSON.stringify(partner)}; declare it here or deploy it first`],
    ),
    ...[...after].flatMap(([slug, partner]) =>
      partner !== undefined && leaves(partner)
        ? [
            `${slug}: another stack's client has the partner ${JSON.stringify(partner)}; declare it until that has another`,
          ]
        : [],
    ),
  ];
  refuse("clients of unknown partners:", lines);
}

/** A gateway that goes, or becomes too small, while tenants bind it: the database would refuse that in the middle of the run. */
function refusePoolChanges(
  after: readonly PoolEntry[],
  { choices, removed }: FleetPlan,
  { pool, bindings }: FleetSnapshot,
): void {
  const declared = new Set(after.map(({ gatewayId }) => gatewayId));
  const lines = poolFaults({
    before: pool.filter(({ gatewayId, owner }) => declared.has(gatewayId) || isOwn(owner)),
    after,
    bindings,
    choices,
    removed,
  });
  refuse("tenants would lose their AI gateways:", lines);
}

/** Two stacks that declare one gateway would each take it for theirs, and the first that goes would take it along. */
function refuseOthersEntries(
  settings: readonly AiGatewaySettings[],
  snapshot: FleetSnapshot,
  environment: Environment,
): void {
  const owners = new Map(snapshot.pool.map(({ gatewayId, declaredBy }) => [gatewayId, declaredBy]));
  const lines = settings.flatMap(({ id }) => {
    const owner = owners.get(id);
    return owner === undefined || owner === environment
      ? []
      : [`${id}: ${owner}'s stack declares it; choose another id`];
  });
  refuse("AI gateways of another environment's pool:", lines);
}
