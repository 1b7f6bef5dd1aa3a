/** Outcome of a deployment by the file and the plain values of the state, without the engine. */
import { isDeepStrictEqual } from "node:util";
import { clientColumns } from "#domain/settings/client.ts";
import type { ClientSettings } from "#stack/settings/settings.ts";
import type { DeployedTenant, PlatformContainers } from "./plain-state.ts";
import type { TenantOutcome } from "./report.ts";
import type { OutcomeArgs } from "./tenant-outcome.ts";

export interface DeclaredOutcomeArgs extends OutcomeArgs {
  clients: readonly ClientSettings[];
  deployed: ReadonlyMap<string, DeployedTenant>;
  containers: PlatformContainers | undefined;
}

export function declaredOutcome(args: DeclaredOutcomeArgs): TenantOutcome[] {
  const { clients, deployed } = args;
  const declared = new Set(clients.map(({ slug }) => slug));
  return [
    ...clients.map((client) => outcomeOf(client, deployed.get(client.slug), args)),
    ...[...deployed]
      .filter(([slug]) => !declared.has(slug))
      .map(([slug, now]) => removedTenantOutcome(slug, now, args)),
  ];
}

function outcomeOf(
  client: ClientSettings,
  now: DeployedTenant | undefined,
  { difference, backsUp, containers }: DeclaredOutcomeArgs,
): TenantOutcome {
  const { slug, name, plan, status, instances } = client;
  const chosen = instances[0]?.aiGateway ?? null;
  const planned = { before: now?.plan ?? null, after: plan };
  const differs = (before: string | undefined, after: string | undefined) =>
    before !== undefined && after !== undefined && before !== after;
  const image = instances[0]?.image ?? containers?.image;
  const containerEnds = differs(now?.image, image) || differs(now?.instanceType, containers?.types[plan]);
  const columns = Object.entries(clientColumns(client));
  const changed =
    containerEnds ||
    differs(now?.plan, plan) ||
    differs(now?.name, name) ||
    differs(now?.status, status) ||
    differs(now?.gateway, chosen ?? undefined) ||
    columns.some(([column, value]) => now !== undefined && !isDeepStrictEqual(now.columns[column], value));
  return {
    slug,
    fate: now === undefined ? "made" : changed ? "changed" : "unchanged",
    resources: null,
    plan: planned,
    // A tenant keeps its gateway unless the file names another.
    aiGateway: { before: now?.gateway ?? null, after: chosen ?? now?.gateway ?? null, kind: null },
    containerEnds,
    backedUpFirst: containerEnds && backsUp,
    monthlyDifference: difference(planned.before, plan),
  };
}

function removedTenantOutcome(
  slug: string,
  { plan = undefined, gateway = undefined }: DeployedTenant,
  { difference, backsUpRemoved }: OutcomeArgs,
): TenantOutcome {
  return {
    slug,
    fate: "removed",
    resources: null,
    plan: { before: plan ?? null, after: null },
    aiGateway: { before: gateway ?? null, after: null, kind: null },
    containerEnds: true,
    backedUpFirst: backsUpRemoved,
    monthlyDifference: difference(plan ?? null, null),
  };
}
