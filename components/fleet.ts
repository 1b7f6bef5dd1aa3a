/**
 * The partners and clients of a stack, with each tenant's AI gateway planned before anything is declared, so that a preview
 * names it.
 */
import * as pulumi from "@pulumi/pulumi";
import type { TenantShape } from "../domain/account-limits.ts";
import { type GatewayChoice, type GatewayPlan, type PoolEntry, planGateways } from "../domain/gateway-selection.ts";
import { isForeign } from "../domain/owner.ts";
import { poolFaults } from "../domain/pool-changes.ts";
import type { Environment } from "../domain/slug.ts";
import type { WorkerBundle } from "../workers/bundle.ts";
import { Client } from "./client.ts";
import { currentStack } from "./current-stack.ts";
import type { DispatchAccess } from "./dispatch-worker.ts";
import type { FleetSnapshot } from "./fleet-snapshot.ts";
import { refuseForeignOwners } from "./foreign-owners.ts";
import type { GatewayBinding } from "./instance.ts";
import { Partner } from "./partner.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { TogetherRow } from "./resources/database-record.ts";
import type { TenantryProvider } from "./resources/tenantry-provider.ts";
import type { AiGatewaySettings, ClientSettings, PartnerSettings } from "./settings.ts";

/** What a fleet's gateways are planned from. */
export interface FleetPlanArgs {
  environment: Environment;
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

export interface FleetArgs extends FleetPlanArgs {
  /** Of {@link planFleet}, made before anything was declared. */
  plan: GatewayPlan;
  platform: pulumi.Output<PlatformOutputs>;
  shape: TenantShape;
  /** Logged in with the rights to write rows. */
  provider: TenantryProvider;
  /** By which tenants are backed up before their containers are replaced. Default: they are not. */
  dispatch?: DispatchAccess | undefined;
  /** Row ids of the pool's entries by gateway id. Default: as the database held them. */
  poolEntries?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Import ids of earlier tenants' buckets that are adopted, by slug. Default: none. */
  keptBuckets?: Readonly<Record<string, string>>;
  bundle: WorkerBundle;
}

/**
 * Declares the partners and clients.
 *
 * @returns the clients by slug
 * @throws RunError naming each client whose partner cannot be had
 */
export function declareFleet(args: FleetArgs): Record<string, Client> {
  const { environment, platform, shape, dispatch, bundle, snapshot, takeOver, plan } = args;
  const poolIds = args.poolEntries ?? snapshot.poolIds;
  const opts = { providers: [args.provider] };

  const partners = new Map<string, pulumi.Input<string>>(Object.entries(snapshot.partnerIds));
  for (const settings of args.partners) {
    partners.set(
      settings.slug,
      new Partner(settings.slug, { settings, takeOver: takeOver.has(settings.slug) }, opts).partnerId,
    );
  }
  const unknownPartners = args.clients.filter(({ partner }) => partner !== undefined && !partners.has(partner));
  if (unknownPartners.length > 0 && !(pulumi.runtime.isDryRun() && snapshot.empty)) {
    const names = unknownPartners.map(
      ({ slug, partner }) =>
        `  ${slug}: unknown partner ${JSON.stringify(partner)}; declare it here or deploy it first`,
    );
    throw new pulumi.RunError(`clients of unknown partners:\n${names.join("\n")}`);
  }

  const poolIdOf = ({ kind, gatewayId }: GatewayChoice) => (kind === "pooled" ? poolIds[gatewayId] : undefined);
  const moves = gatewayMoves(plan, snapshot, poolIdOf);
  return Object.fromEntries(
    args.clients.map((settings) => {
      const choice = plan.choices.get(settings.slug);
      if (choice === undefined) throw new Error(`no gateway was planned for ${settings.slug}`);
      const poolId = poolIdOf(choice);
      const takesSlot = moves.has(settings.slug) || !snapshot.bindings.has(settings.slug);
      const others = takesSlot ? [...moves].filter(([slug]) => slug !== settings.slug).map(([, row]) => row) : [];
      const gateway: GatewayBinding = { ...choice, ...(poolId === undefined ? {} : { poolId }), together: others };
      const partnerId = settings.partner === undefined ? undefined : partners.get(settings.partner);
      const client = new Client(
        settings.slug,
        {
          settings,
          environment,
          platform,
          shape,
          dispatch,
          partnerId,
          gateway,
          adoptBucket: args.keptBuckets?.[settings.slug],
          bundle,
          takeOver: takeOver.has(settings.slug),
        },
        opts,
      );
      return [settings.slug, client];
    }),
  );
}

/**
 * The rows of deployed tenants that get another gateway, by slug. They are written at once with whatever takes a slot, since
 * one may take what another leaves: in a swap of two full gateways neither could go first.
 */
function gatewayMoves(
  { choices }: GatewayPlan,
  { bindings }: FleetSnapshot,
  poolIdOf: (choice: GatewayChoice) => pulumi.Input<string> | undefined,
): ReadonlyMap<string, TogetherRow> {
  return new Map(
    [...choices].flatMap(([slug, choice]) => {
      const now = bindings.get(slug);
      const stays = now?.gatewayId === choice.gatewayId && now.pooled === (choice.kind === "pooled");
      if (now === undefined || stays) return [];
      const values = { ai_gateway_id: choice.gatewayId, ai_gateway_pool_id: poolIdOf(choice) ?? null };
      return [[slug, { key: { client_id: now.clientId }, values }]];
    }),
  );
}

/**
 * Plans each tenant's AI gateway. To be called before anything is declared: what is declared is made though the program fails
 * afterwards.
 *
 * @throws RunError naming each client whose gateway cannot be had or that cannot be removed, what is another stack's, and pool
 *   entries that tenants would lose
 */
export function planFleet(args: FleetPlanArgs): GatewayPlan {
  const { environment, clients, poolSettings, snapshot, createDedicatedAiGateways } = args;
  const removed = removedClients(clients, snapshot);
  refuseForeignOwners({ ...args, aiGateways: poolSettings ?? [] }, snapshot.owners, args.takeOver);
  refuseRemovals(removed, snapshot);
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
  const plan = planGateways(requests, entries, environment, createDedicatedAiGateways);
  if (plan.faults.length > 0) {
    const lines = plan.faults.map(({ slug, code, message }) => `  ${slug}: ${code}: ${message}`);
    throw new pulumi.RunError(`AI gateways cannot be had for every tenant:\n${lines.join("\n")}`);
  }
  if (poolSettings !== undefined) refusePoolChanges(entries, plan, snapshot, removed);
  return plan;
}

/** Whether this stack has what a row's owner says; nobody's is nobody's. */
export const isOwn = (owner: string | undefined) => owner !== undefined && !isForeign(owner, currentStack());

/** Slugs of the stack's clients that are declared no more. */
export function removedClients(clients: readonly ClientSettings[], { owners }: FleetSnapshot): ReadonlySet<string> {
  const declared = new Set(clients.map(({ slug }) => slug));
  return new Set(Object.keys(owners.clients).filter((slug) => isOwn(owners.clients[slug]) && !declared.has(slug)));
}

/** The database would refuse that too, but at the end of the run, when all else is changed. */
function refuseRemovals(removed: ReadonlySet<string>, { invoiced }: FleetSnapshot): void {
  const lines = [...removed].filter((slug) => invoiced.has(slug)).map((slug) => `  ${slug}: it has invoices`);
  if (lines.length > 0) {
    throw new pulumi.RunError(
      `clients that cannot be removed; declare them again, or remove what keeps them first:\n${lines.join("\n")}`,
    );
  }
}

/** A gateway that goes, or becomes too small, while tenants bind it: the database would refuse that in the middle of the run. */
function refusePoolChanges(
  after: readonly PoolEntry[],
  { choices }: GatewayPlan,
  { pool, bindings, owners }: FleetSnapshot,
  removed: ReadonlySet<string>,
): void {
  const declared = new Set(after.map(({ gatewayId }) => gatewayId));
  const lines = poolFaults({
    before: pool.filter(({ gatewayId }) => declared.has(gatewayId) || isOwn(owners.aiGateways[gatewayId])),
    after,
    bindings,
    choices,
    removed,
  });
  if (lines.length > 0) {
    throw new pulumi.RunError(`tenants would lose their AI gateways:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
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
      : [`  ${id}: ${owner}'s stack declares it; choose another id`];
  });
  if (lines.length > 0) throw new pulumi.RunError(`AI gateways of another environment's pool:\n${lines.join("\n")}`);
}
