import * as pulumi from "@pulumi/pulumi";
import { type Plan, plans } from "#domain/plans/plan.ts";
import type { PlatformSettings } from "#domain/settings/platform.ts";
import { instanceSize, smallestWith } from "#domain/tenants/instance-type.ts";

/**
 * Warns once for each plan whose containers have less memory than the image's gateway needs. Not an error, because only the
 * image's author knows the need. Plans without clients in this stack are skipped.
 */
export function warnOfSmallContainers(
  clients: readonly { plan: Plan }[],
  { containers, gatewayMemoryMiB }: Pick<PlatformSettings, "containers" | "gatewayMemoryMiB">,
): void {
  for (const plan of plans) {
    const tenants = clients.filter((client) => client.plan === plan).length;
    const type = containers[plan];
    const { memoryMiB } = instanceSize(type);
    if (tenants === 0 || memoryMiB >= gatewayMemoryMiB) continue;
    void pulumi.log.warn(
      `plan ${plan} runs its ${tenants === 1 ? "tenant" : `${tenants} tenants`} in ${type} (${memoryMiB} MiB), and the image's gateway ` +
        `needs ${gatewayMemoryMiB} MiB: set containers.${plan} to ${smallestWith(gatewayMemoryMiB)} or larger, or gatewayMemoryMiB to ` +
        "what the image needs, under tenantry:platform in the platform's stack",
    );
  }
}
