import { gatewayRefusal } from "#domain/ai-gateways/gateway-selection.ts";
import type { Environment } from "#domain/environment.ts";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";

/** Returns why a pool entry cannot be bound. @param bound Cloudflare id of the current gateway */
export function whyUnavailable(entry: AiGateway, { bound, of }: { bound?: string | undefined; of: Environment }) {
  const { gateway_id: gatewayId, environment, enabled, bound: users, max_instances: maxInstances } = entry;
  if (gatewayId === bound) return "Current gateway.";
  const refused = gatewayRefusal(
    { gatewayId, environment: environment ?? undefined, enabled, bound: users, maxInstances },
    of,
  );
  return refused === undefined ? undefined : `It ${refused}.`;
}

/** Sorts available entries first, then by free capacity. */
export function byFreeCapacity(
  entries: readonly AiGateway[],
  isUnavailable: (entry: AiGateway) => boolean,
): AiGateway[] {
  const free = ({ bound, max_instances }: AiGateway) => max_instances - bound;
  return entries.toSorted(
    (one, other) =>
      Number(isUnavailable(one)) - Number(isUnavailable(other)) ||
      free(other) - free(one) ||
      one.gateway_id.localeCompare(other.gateway_id),
  );
}
