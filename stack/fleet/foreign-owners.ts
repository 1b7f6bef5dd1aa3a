import { foreignOwner, isForeign } from "#domain/tenants/owner.ts";
import { currentStack } from "../current-stack.ts";
import { refuseFaults } from "../refusal.ts";
import type { AiGatewaySettings, ClientSettings, PartnerSettings } from "../settings/settings.ts";
import type { FleetSnapshot } from "./snapshot.ts";

interface Declared {
  clients: readonly ClientSettings[];
  partners: readonly PartnerSettings[];
  aiGateways: readonly AiGatewaySettings[];
}

/**
 * Refuses settings that name resources of another stack, before resources are declared, so that a preview fails too.
 * @param takeOver slugs and gateway ids that this run may take over
 * @throws RunError with each owner and remedy
 */
export function refuseForeignOwners(
  declared: Declared,
  { clients, partners, pool }: FleetSnapshot,
  takeOver: ReadonlySet<string>,
): void {
  const here = currentStack();
  const found = (kind: string, names: readonly string[], ownerOf: (name: string) => string | undefined) =>
    names.flatMap((name) => {
      const owner = ownerOf(name);
      if (owner === undefined || takeOver.has(name) || !isForeign(owner, here)) return [];
      return [foreignOwner(`${kind} ${name}`, owner, name)];
    });
  const slugs = (settings: readonly { slug: string }[]) => settings.map(({ slug }) => slug);
  const lines = [
    ...found("the client", slugs(declared.clients), (slug) => clients[slug]?.owner),
    ...found("the partner", slugs(declared.partners), (slug) => partners[slug]?.owner),
    ...found(
      "the AI gateway",
      declared.aiGateways.map(({ id }) => id),
      (id) => pool.find(({ gatewayId }) => gatewayId === id)?.owner,
    ),
  ];
  refuseFaults("another stack owns what this stack declares:", lines);
}
