/** Warns of plans whose containers are too small for the image's gateway. */
import * as pulumi from "@pulumi/pulumi";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type InstanceType, instanceSize, smallestWith } from "#domain/tenants/instance-type.ts";

interface ContainerSizes {
  /** Instance type of each plan's containers. */
  containers: Readonly<Record<Plan, InstanceType>>;
  /** Memory that the image's gateway needs, in MiB. */
  gatewayMemoryMiB: number;
}

/**
 * One line a plan, and not a tenant: what mends it is a setting of the plan. A warning, since only who made the image knows what it needs.
 *
 * @param clients those that the stack declares; plans that none of them has are nobody's trouble
 */
export function warnOfSmallContainers(
  clients: readonly { plan: Plan }[],
  { containers, gatewayMemoryMiB }: ContainerSizes,
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
