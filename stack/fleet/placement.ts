/** The platform of a stack of tenants, chosen where its settings name several, and what the run makes of the tenants there. */
import * as pulumi from "@pulumi/pulumi";
import { isForeign, stackOf } from "#domain/tenants/owner.ts";
import { placementOf } from "#domain/tenants/placement.ts";
import { currentStack } from "../current-stack.ts";
import { lookAtPlatform, type PlatformReference } from "../platform-reference.ts";
import { refuse } from "../refusal.ts";
import { refuseLongAddresses } from "../settings/faults.ts";
import type { TenantStackSettings } from "../settings/settings.ts";
import { refuseBeyondLimits } from "./account-check.ts";
import { type FleetPlan, type FleetPlanArgs, isOwn, planFleet } from "./plan.ts";
import { type FleetSnapshot, readFleetSnapshot } from "./snapshot.ts";

interface Sight {
  platform: PlatformReference;
  fleet: FleetPlanArgs & TenantStackSettings;
}

export interface PlacedFleet extends Sight {
  plan: FleetPlan;
}

/**
 * Looks at every platform that the settings name, chooses one for all of the stack's tenants and plans them there. Nothing is declared
 * yet but the reference to the one that was chosen.
 *
 * @throws RunError as `lookAtPlatform`, `readFleetSnapshot`, `planFleet` and `refuseBeyondLimits` do; of several platforms where none has
 *   room, with what each of them refuses, and where more than one has something of this stack
 */
export async function placeFleet(settings: TenantStackSettings): Promise<PlacedFleet> {
  const sights = await Promise.all(settings.platformStacks.map((stack) => lookAt(stack, settings)));
  refuseTwice(settings.platformStacks, sights);
  const sight = sights.length > 1 ? chosen(sights) : sights[0];
  if (sight === undefined) throw new Error("the settings name no platform");
  const plan = planAt(sight);
  sight.platform.refer();
  return { ...sight, plan };
}

async function lookAt(stack: string, settings: TenantStackSettings): Promise<Sight> {
  const platform = await lookAtPlatform(stack, settings.environment);
  const snapshot = await readFleetSnapshot(platform.databaseUrl, settings.environment, platform.stack);
  const createDedicatedAiGateways = platform.known?.createDedicatedAiGateways ?? true;
  return { platform, fleet: { ...settings, createDedicatedAiGateways, snapshot } };
}

function planAt({ platform: { known }, fleet }: Sight): FleetPlan {
  if (known !== undefined) refuseLongAddresses(fleet.clients, known);
  const plan = planFleet(fleet);
  if (known !== undefined) refuseBeyondLimits(fleet, plan, { shape: known, limits: known.limits });
  return plan;
}

/** One stack has several names, and a database is one platform's. */
function refuseTwice(names: readonly string[], sights: readonly Sight[]): void {
  const keys = sights.map(({ platform: { stack, databaseUrl } }) => databaseUrl ?? stack);
  const lines = keys.flatMap((key, index) => {
    const first = keys.indexOf(key);
    return first === index ? [] : [`${names[first]} and ${names[index]} are one platform; remove one of the two`];
  });
  refuse("tenantry:platformStack:", lines);
}

function chosen(sights: readonly Sight[]): Sight {
  const placement = placementOf(
    sights.map((sight) => ({
      stack: sight.platform.stack,
      holds: heldOf(sight.fleet),
      faults: faultsAt(sight),
      sight,
    })),
  );
  if (placement.kind === "refused") {
    const { heading, faults } = placement;
    throw new pulumi.RunError([heading, ...faults.map((fault) => `  ${fault.replaceAll("\n", "\n  ")}`)].join("\n"));
  }
  const { at } = placement;
  const why =
    placement.kind === "stays"
      ? `has ${at.holds.join(", ")}`
      : [
          `is the first of ${sights.length} with room`,
          ...placement.full.map(({ stack, faults }) => `${stack}: ${faults.join(" ").replaceAll(/\s*\n\s*/g, " ")}`),
        ].join("; not ");
  void pulumi.log.info(`platform: ${at.stack}, which ${why}`);
  return at.sight;
}

/** What keeps the stack's tenants from a platform. */
function faultsAt(sight: Sight): string[] {
  try {
    planAt(sight);
    return [];
  } catch (error) {
    if (pulumi.RunError.isInstance(error)) return [error.message];
    throw error;
  }
}

/** Rows that this stack has, those of its clients that are declared no more among them, and anybody's of the slugs that it declares. */
function heldOf({ clients, snapshot }: { clients: readonly { slug: string }[]; snapshot: FleetSnapshot }): string[] {
  const declared = new Set(clients.map(({ slug }) => slug));
  const tenants = Object.entries(snapshot.clients)
    .filter(([slug, { owner }]) => declared.has(slug) || isOwn(owner))
    .map(([slug, { owner }]) => `${slug}${ofOther(owner)}`);
  const partners = Object.entries(snapshot.partners).filter(([, { owner }]) => isOwn(owner));
  return [...tenants, ...partners.map(([slug]) => `the partner ${slug}`)].toSorted();
}

const ofOther = (owner: string | undefined): string =>
  owner !== undefined && isForeign(owner, currentStack()) ? ` (of the stack ${stackOf(owner) ?? owner})` : "";
