import * as pulumi from "@pulumi/pulumi";
import { isForeign, stackOf } from "#domain/tenants/owner.ts";
import { placementOf } from "#domain/tenants/placement.ts";
import { currentStack } from "../current-stack.ts";
import { type PlatformReference, readPlatform } from "../platform-reference.ts";
import { refuseFaults } from "../refusal.ts";
import { refuseLongAddresses } from "../settings/faults.ts";
import type { TenantStackSettings } from "../settings/settings.ts";
import { refuseBeyondLimits } from "./account-check.ts";
import { type FleetPlan, type FleetPlanArgs, isOwned, planFleet } from "./plan.ts";
import { type FleetSnapshot, readFleetSnapshot } from "./snapshot.ts";

interface Candidate {
  platform: PlatformReference;
  fleet: FleetPlanArgs & TenantStackSettings;
}

/**
 * Reads every platform that the settings name, chooses one for all tenants of the stack and plans them there. It declares only the
 * reference to the chosen platform.
 * @throws RunError if a platform or snapshot cannot be read, the plan is refused, no platform has room, or several platforms have
 *   tenants of this stack
 */
export async function placeFleet(settings: TenantStackSettings): Promise<Candidate & { plan: FleetPlan }> {
  const candidates = await Promise.all(settings.platformStacks.map((stack) => readCandidate(stack, settings)));
  refuseDuplicatePlatforms(settings.platformStacks, candidates);
  const candidate = candidates.length > 1 ? choosePlatform(candidates) : candidates[0];
  if (candidate === undefined) throw new Error("the settings name no platform");
  const plan = planAt(candidate);
  candidate.platform.refer();
  return { ...candidate, plan };
}

async function readCandidate(stack: string, settings: TenantStackSettings): Promise<Candidate> {
  const platform = await readPlatform(stack, settings.environment);
  const snapshot = await readFleetSnapshot(platform.databaseUrl, settings.environment, platform.stack);
  const createDedicatedAiGateways = platform.known?.createDedicatedAiGateways ?? true;
  return { platform, fleet: { ...settings, createDedicatedAiGateways, snapshot } };
}

function planAt({ platform: { known }, fleet }: Candidate): FleetPlan {
  if (known !== undefined) refuseLongAddresses(fleet.clients, known);
  const plan = planFleet(fleet);
  if (known !== undefined) refuseBeyondLimits(fleet, plan, { shape: known, limits: known.limits });
  return plan;
}

/** A stack can have several names; its database has one. */
function refuseDuplicatePlatforms(names: readonly string[], candidates: readonly Candidate[]): void {
  const keys = candidates.map(({ platform: { stack, databaseUrl } }) => databaseUrl ?? stack);
  const lines = keys.flatMap((key, index) => {
    const first = keys.indexOf(key);
    return first === index ? [] : [`${names[first]} and ${names[index]} are one platform; remove one of the two`];
  });
  refuseFaults("tenantry:platformStack:", lines);
}

function choosePlatform(candidates: readonly Candidate[]): Candidate {
  const placement = placementOf(
    candidates.map((candidate) => ({
      stack: candidate.platform.stack,
      holds: ownedAt(candidate.fleet),
      faults: faultsAt(candidate),
      candidate,
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
          `is the first of ${candidates.length} with room`,
          ...placement.full.map(({ stack, faults }) => `${stack}: ${faults.join(" ").replaceAll(/\s*\n\s*/g, " ")}`),
        ].join("; not ");
  void pulumi.log.info(`platform: ${at.stack}, which ${why}`);
  return at.candidate;
}

function faultsAt(candidate: Candidate): string[] {
  try {
    planAt(candidate);
    return [];
  } catch (error) {
    if (pulumi.RunError.isInstance(error)) return [error.message];
    throw error;
  }
}

/** Returns this stack's clients, declared or not, and partners at a platform, and other stacks' clients with the declared slugs. */
function ownedAt({ clients, snapshot }: { clients: readonly { slug: string }[]; snapshot: FleetSnapshot }): string[] {
  const declared = new Set(clients.map(({ slug }) => slug));
  const tenants = Object.entries(snapshot.clients)
    .filter(([slug, { owner }]) => declared.has(slug) || isOwned(owner))
    .map(([slug, { owner }]) => `${slug}${foreignSuffix(owner)}`);
  const partners = Object.entries(snapshot.partners).filter(([, { owner }]) => isOwned(owner));
  return [...tenants, ...partners.map(([slug]) => `the partner ${slug}`)].toSorted();
}

const foreignSuffix = (owner: string | undefined): string =>
  owner !== undefined && isForeign(owner, currentStack()) ? ` (of the stack ${stackOf(owner) ?? owner})` : "";
