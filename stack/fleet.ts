/** The partners and clients of a stack, declared as they were planned. */
import type * as pulumi from "@pulumi/pulumi";
import { Client } from "../components/client.ts";
import type { DispatchAccess } from "../components/dispatch-worker.ts";
import type { GatewayBinding } from "../components/instance.ts";
import { Partner } from "../components/partner.ts";
import type { TogetherRow } from "../components/resources/database-record.ts";
import type { TenantryProvider } from "../components/resources/tenantry-provider.ts";
import type { TenantShape } from "../domain/account-limits.ts";
import type { GatewayChoice, GatewayPlan } from "../domain/gateway-selection.ts";
import type { WorkerBundle } from "../workers/bundle.ts";
import type { FleetPlanArgs } from "./fleet-plan.ts";
import type { FleetSnapshot } from "./fleet-snapshot.ts";
import type { PlatformOutputs } from "../components/platform-outputs.ts";

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
