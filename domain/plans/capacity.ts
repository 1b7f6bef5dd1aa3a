/** Capacity of an account, and warnings before it is used up. */
import { CONTAINER_MEMORY_MIB, CONTAINER_VCPU } from "@tenantry/cloudflare-limits/values";
import { type InstanceType, instanceSize } from "../tenants/instance-type.ts";
import { ACCOUNT_NAMES, type AccountKind, accountKinds, DEFAULT_ACCOUNT_LIMITS } from "./account-limits.ts";
import { type Plan, plans } from "./plan.ts";

export const containerKinds = ["containerMemoryMiB", "containerVcpu"] as const;
export const capacityKinds = [...accountKinds, ...containerKinds] as const;
export type CapacityKind = (typeof capacityKinds)[number];
export type Capacity = Readonly<Record<CapacityKind, number>>;

/** Cloudflare's limits. An account can have other limits. */
export const DEFAULT_CAPACITY: Capacity = {
  ...DEFAULT_ACCOUNT_LIMITS,
  containerMemoryMiB: CONTAINER_MEMORY_MIB,
  containerVcpu: CONTAINER_VCPU,
};

/** Share of a limit from which it counts as scarce. */
export const SCARCE_SHARE = 0.8;

const NAMES: Readonly<Record<CapacityKind, string>> = {
  ...ACCOUNT_NAMES,
  containerMemoryMiB: "MiB of containers' memory",
  containerVcpu: "vCPU of containers",
};

/** Use of containers that run at their maximum number. */
export function containerUse(
  containers: readonly { type: InstanceType; most: number }[],
): Pick<Capacity, (typeof containerKinds)[number]> {
  let [containerMemoryMiB, containerVcpu] = [0, 0];
  for (const { type, most } of containers) {
    const { memoryMiB, vcpu } = instanceSize(type);
    containerMemoryMiB += most * memoryMiB;
    containerVcpu += most * vcpu;
  }
  return { containerMemoryMiB, containerVcpu };
}

/** Containers of a tenant while a new one replaces the old one. */
export const CONTAINERS_OF_TENANT = 2;

/** Use of a tenant's containers, by plan. */
export type ContainerNeeds = Readonly<Record<Plan, ReturnType<typeof containerUse>>>;

export function containerNeeds(types: Readonly<Record<Plan, InstanceType>>): ContainerNeeds {
  const of = (plan: Plan) => [plan, containerUse([{ type: types[plan], most: CONTAINERS_OF_TENANT }])];
  return Object.fromEntries(plans.map(of)) as ContainerNeeds;
}

/** Returns a sentence for each limit that `needed` would exceed, with the remedies. */
export function capacityFaults(used: Capacity, needed: Capacity, limits: Capacity): string[] {
  return capacityKinds
    .filter((kind) => needed[kind] > 0 && used[kind] + needed[kind] > limits[kind])
    .map(
      (kind) =>
        `The account has ${used[kind]} of ${limits[kind]} ${NAMES[kind]}, and the tenant needs ${needed[kind]}: remove unused resources, place ` +
        "the tenant on another account's platform, or have the vendor raise the limit and set ACCOUNT_LIMITS of the automation service.",
    );
}

export const isScarce = (used: number, limit: number): boolean => used >= limit * SCARCE_SHARE;

/** Returns how many more tenants with these needs fit. */
export function tenantsLeft(used: Capacity, needed: Readonly<Record<AccountKind, number>>, limits: Capacity): number {
  const room = accountKinds
    .filter((kind) => needed[kind] > 0)
    .map((kind) => Math.floor((limits[kind] - used[kind]) / needed[kind]));
  return Math.max(0, Math.min(...room));
}
