/** Which AI gateways an instance can bind, and why not the others. */
import { refusal } from "#domain/ai-gateways/gateway-selection.ts";
import type { Environment } from "#domain/environment.ts";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";

/** Why an entry of the pool cannot be bound; undefined where it can. @param bound id at Cloudflare of the gateway that is bound now */
export function barrier(entry: AiGateway, { bound, of }: { bound: string | undefined; of: Environment }) {
  const { gateway_id: gatewayId, environment, enabled, bound: users, max_instances: maxInstances } = entry;
  if (gatewayId === bound) return "It is bound to this one.";
  const refused = refusal(
    { gatewayId, environment: environment ?? undefined, enabled, bound: users, maxInstances },
    of,
  );
  return refused === undefined ? undefined : `It ${refused}.`;
}

/** Those that can be bound first, the emptiest before the others. */
export function byRoom(entries: readonly AiGateway[], isBarred: (entry: AiGateway) => boolean): AiGateway[] {
  const room = ({ bound, max_instances }: AiGateway) => max_instances - bound;
  return entries.toSorted(
    (one, other) =>
      Number(isBarred(one)) - Number(isBarred(other)) ||
      room(other) - room(one) ||
      one.gateway_id.localeCompare(other.gateway_id),
  );
}
