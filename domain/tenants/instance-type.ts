import { type ContainerSize, INSTANCE_TYPES } from "@tenantry/cloudflare-limits/values";

export type InstanceType = keyof typeof INSTANCE_TYPES;
/** Instance types of Cloudflare's containers, smallest first. */
export const instanceTypes = Object.keys(INSTANCE_TYPES) as [InstanceType, ...InstanceType[]];

/** Memory of the largest type, in MiB. */
export const MOST_MEMORY_MIB = INSTANCE_TYPES["standard-4"].memoryMiB;

/**
 * Default memory of the gateway in MiB, for OpenClaw, which uses 600 to 930 MB when idle (2026.9.6, measured).
 */
export const GATEWAY_MEMORY_MIB = 1_024;

export const instanceSize = (type: InstanceType): ContainerSize => INSTANCE_TYPES[type];

/** Returns the smallest type with enough memory; undefined above {@link MOST_MEMORY_MIB}. */
export const smallestWith = (memoryMiB: number): InstanceType | undefined =>
  instanceTypes.find((type) => INSTANCE_TYPES[type].memoryMiB >= memoryMiB);
