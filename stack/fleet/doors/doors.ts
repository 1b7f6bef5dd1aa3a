/** Plans the doors of a stack's tenants. */
import type { DoorDeclaration } from "#components/platform-context.ts";
import { errorFault, errorLine, type Fault } from "#domain/errors/catalogue-error.ts";
import { planErrors, planRefusals } from "#domain/errors/stack/stack-plan.ts";
import { planLabel, planLimits } from "#domain/plans/plan.ts";
import { isForeign } from "#domain/tenants/owner.ts";
import { currentStack } from "../../current-stack.ts";
import { refuseFaults } from "../../refusal.ts";
import type { ClientSettings, StackSettings } from "../../settings/settings.ts";
import type { FleetSnapshot } from "../snapshot.ts";

const doorsOf = ({ instances }: ClientSettings) => instances[0]?.doors ?? [];

/** Whether any client declares doors. */
export const declaresDoors = (clients: readonly ClientSettings[]): boolean =>
  clients.some((client) => doorsOf(client).length > 0);

/**
 * Refuses doors whose names the dashboard's doors have, and new ones beyond the plan's limit.
 *
 * @throws RunError before resources are declared
 */
export function refuseDoors(
  clients: readonly ClientSettings[],
  { doors, read }: Pick<FleetSnapshot, "doors" | "read">,
  takeOver: ReadonlySet<string>,
): void {
  if (!read) return;
  const here = currentStack();
  const lines = clients.flatMap((client): Fault[] => {
    const { slug, plan } = client;
    const declared = doorsOf(client);
    const known = doors[slug] ?? [];
    const isOwn = (owner: string | undefined) => owner !== undefined && (takeOver.has(slug) || !isForeign(owner, here));
    const others = known.filter(({ owner }) => !isOwn(owner));
    const taken = declared.filter(({ name }) => others.some((other) => other.name === name));
    const isKnown = (name: string | undefined) => known.some((one) => one.name === name);
    const added = declared.filter(({ name, formerName }) => !isKnown(name) && !isKnown(formerName));
    const [count, limit] = [others.length + declared.length, planLimits(plan).doors];
    return [
      ...taken.map(({ name }) => errorLine(planErrors.door_declared_elsewhere, { slug, name })),
      ...(added.length > 0 && count > limit
        ? [errorFault(planErrors.doors_beyond_plan, { slug, count, plan: planLabel(plan), limit })]
        : []),
    ];
  });
  refuseFaults(planRefusals.doors_refused, lines);
}

/** Returns a client's doors with their secrets. */
export function plannedDoors(
  client: ClientSettings,
  { doors, read, clients }: Pick<FleetSnapshot, "doors" | "read" | "clients">,
  secrets: StackSettings["doorSecrets"],
): DoorDeclaration[] {
  const { slug } = client;
  const names = new Set((doors[slug] ?? []).map(({ name }) => name));
  const isDeployed = read && clients[slug]?.hasInstance === true;
  return doorsOf(client).map((door) => ({
    ...door,
    secrets: secrets?.[slug]?.[door.name] ?? {},
    missing: isDeployed && !names.has(door.name) && !(door.formerName !== undefined && names.has(door.formerName)),
  }));
}
