import type { OwnerSnapshot } from "../database/owners.ts";
import { foreignOwner, isForeign } from "../domain/owner.ts";
import { currentStack } from "./current-stack.ts";
import { refuse } from "./refusal.ts";
import type { AiGatewaySettings, ClientSettings, PartnerSettings } from "./settings.ts";

export interface Declared {
  clients: readonly ClientSettings[];
  partners: readonly PartnerSettings[];
  aiGateways: readonly AiGatewaySettings[];
}

/**
 * Refuses a run whose settings name what another stack has, before anything is declared: a preview says so too.
 *
 * @param takeOver slugs and gateway ids that this run may take over
 * @throws RunError naming each with its owner and the ways out
 */
export function refuseForeignOwners(declared: Declared, owners: OwnerSnapshot, takeOver: ReadonlySet<string>): void {
  const here = currentStack();
  const found = (kind: string, names: readonly string[], having: Readonly<Record<string, string>>) =>
    names.flatMap((name) => {
      const owner = having[name];
      if (owner === undefined || takeOver.has(name) || !isForeign(owner, here)) return [];
      return [foreignOwner(`${kind} ${name}`, owner, name)];
    });
  const slugs = (settings: readonly { slug: string }[]) => settings.map(({ slug }) => slug);
  const lines = [
    ...found("the client", slugs(declared.clients), owners.clients),
    ...found("the partner", slugs(declared.partners), owners.partners),
    ...found(
      "the AI gateway",
      declared.aiGateways.map(({ id }) => id),
      owners.aiGateways,
    ),
  ];
  refuse("what this stack declares is another stack's:", lines);
}
