import * as pulumi from "@pulumi/pulumi";
import { Client } from "#components/client.ts";
import { Partner } from "#components/partner.ts";
import type { GatewayBinding, PlatformContext } from "#components/platform-context.ts";
import type { TogetherRow } from "#components/resources/database-record.ts";
import type { TenantryProvider } from "#components/resources/tenantry-provider.ts";
import type { GatewayChoice } from "#domain/ai-gateways/gateway-selection.ts";
import { errorLine } from "#domain/errors/catalogue-error.ts";
import { planErrors } from "#domain/errors/stack/stack-plan.ts";
import type { StackSettings } from "../settings/settings.ts";
import { plannedDoors } from "./doors/doors.ts";
import type { FleetPlan, FleetPlanArgs } from "./plan.ts";
import type { FleetSnapshot } from "./snapshot.ts";

export interface FleetArgs extends FleetPlanArgs {
  plan: FleetPlan;
  context: PlatformContext;
  provider: TenantryProvider;
  /** Secrets of doors by slug and name. Default: none. */
  doorSecrets?: StackSettings["doorSecrets"];
  /** Row ids of the pool's gateways by gateway id. Default: those in the database. */
  poolEntries?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Import ids of existing buckets to adopt, by slug. Default: none. */
  keptBuckets?: Readonly<Record<string, string>>;
}

export function declareFleet(args: FleetArgs): Record<string, Client> {
  const { context, snapshot, takeOver, plan } = args;
  const poolIds =
    args.poolEntries ?? Object.fromEntries(snapshot.pool.map(({ gatewayId, rowId }) => [gatewayId, rowId]));
  const opts = { providers: [args.provider] };

  const partners = new Map<string, pulumi.Input<string>>(
    Object.entries(snapshot.partners).map(([slug, { id }]) => [slug, id]),
  );
  for (const { slug, name: displayName, style, egress } of args.partners) {
    const partner = new Partner(slug, { slug, displayName, style, egress, takeOver: takeOver.has(slug) }, opts);
    partners.set(slug, partner.partnerId);
  }
  const poolIdOf = ({ kind, gatewayId }: GatewayChoice) => (kind === "pooled" ? poolIds[gatewayId] : undefined);
  const moves = gatewayMoves(plan, snapshot, poolIdOf);
  return Object.fromEntries(
    args.clients.map((declared) => {
      const { slug, name: displayName, plan: billingPlan, status, partner, instances } = declared;
      const choice = plan.choices.get(slug);
      if (choice === undefined) throw new Error(`No gateway was planned for ${slug}.`);
      const poolId = poolIdOf(choice);
      const takesSlot = moves.has(slug) || !snapshot.bindings.has(slug);
      const others = takesSlot ? [...moves].filter(([other]) => other !== slug).map(([, row]) => row) : [];
      const gateway: GatewayBinding = { ...choice, ...(poolId !== undefined && { poolId }), together: others };
      const client = new Client(
        slug,
        {
          context,
          slug,
          displayName,
          plan: billingPlan,
          earlierClients: snapshot.earlierClients[slug],
          status,
          fields: declared,
          partnerId: partner === undefined ? undefined : partners.get(partner),
          gateway,
          tokenVersion: instances[0]?.tokenVersion,
          image: instances[0]?.image,
          egress: declared.egress,
          doors: plannedDoors(declared, snapshot, args.doorSecrets),
          adoptBucket: args.keptBuckets?.[slug],
          knownRow: snapshot.clients[slug]?.id,
          dashboardRow: args.managedBy === "dashboard" ? dashboardRow(slug, snapshot) : undefined,
          takeOver: takeOver.has(slug),
        },
        opts,
      );
      return [slug, client];
    }),
  );
}

/**
 * Returns the rows of deployed tenants that change their gateway, by slug. They are written in one transaction, because two full
 * gateways could not swap tenants otherwise.
 */
function gatewayMoves(
  { choices }: FleetPlan,
  { bindings }: FleetSnapshot,
  poolIdOf: (choice: GatewayChoice) => pulumi.Input<string> | undefined,
): ReadonlyMap<string, TogetherRow> {
  return new Map(
    [...choices].flatMap(([slug, choice]) => {
      const bound = bindings.get(slug);
      const stays = bound?.gatewayId === choice.gatewayId && bound.pooled === (choice.kind === "pooled");
      if (bound === undefined || stays) return [];
      const values = { ai_gateway_id: choice.gatewayId, ai_gateway_pool_id: poolIdOf(choice) ?? null };
      return [[slug, { key: { client_id: bound.clientId }, values }]];
    }),
  );
}

function dashboardRow(slug: string, { clients }: FleetSnapshot): string {
  const row = clients[slug];
  if (row === undefined) throw new pulumi.RunError(errorLine(planErrors.dashboard_client_not_found, { slug }));
  return row.id;
}
