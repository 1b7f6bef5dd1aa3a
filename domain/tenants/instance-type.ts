/** Instance types of Cloudflare's containers, smallest first (vendor: "Limits and Instance Types" of Containers). */
export const instanceTypes = ["lite", "basic", "standard-1", "standard-2", "standard-3", "standard-4"] as const;
export type InstanceType = (typeof instanceTypes)[number];

export interface InstanceSize {
  readonly memoryMiB: number;
  readonly vcpu: number;
  readonly diskGB: number;
}

const SIZES: Readonly<Record<InstanceType, InstanceSize>> = {
  lite: { memoryMiB: 256, vcpu: 1 / 16, diskGB: 2 },
  basic: { memoryMiB: 1_024, vcpu: 1 / 4, diskGB: 4 },
  "standard-1": { memoryMiB: 4_096, vcpu: 1 / 2, diskGB: 8 },
  "standard-2": { memoryMiB: 6_144, vcpu: 1, diskGB: 12 },
  "standard-3": { memoryMiB: 8_192, vcpu: 2, diskGB: 16 },
  "standard-4": { memoryMiB: 12_288, vcpu: 4, diskGB: 20 },
};

/** Memory of the largest type, in MiB. */
export const MOST_MEMORY_MIB = SIZES["standard-4"].memoryMiB;

/**
 * Default memory of the gateway in MiB, for OpenClaw, which uses 600 to 930 MB when idle (2026.9.6, measured).
 */
export const GATEWAY_MEMORY_MIB = 1_024;

export const instanceSize = (type: InstanceType): InstanceSize => SIZES[type];

/** Returns the smallest type with enough memory; undefined above {@link MOST_MEMORY_MIB}. */
export const smallestWith = (memoryMiB: number): InstanceType | undefined =>
  instanceTypes.find((type) => SIZES[type].memoryMiB >= memoryMiB);
