/** Values of limits that Workers and shared rules read: a bundle has only the numbers, without their documentation. */

export const ACCESS_APPLICATIONS = 500;
export const ACCESS_GROUPS = 300;
export const ACCESS_POLICIES = 500;
export const ACCESS_GROUP_RULES = 1_000;
/** Characters. */
export const ACCESS_APPLICATION_URL = 63;
/** In five minutes. */
export const API_REQUESTS = 1_200;
export const ACCOUNT_API_TOKENS = 500;
export const AI_GATEWAYS = 20;
export const AI_GATEWAY_LOG_PAGE = 50;
export const AI_GATEWAY_METADATA = 5;
export const ANALYTICS_POINTS = 250;
export const CONTAINER_MEMORY_MIB = 6 * 1_024 * 1_024;
export const CONTAINER_VCPU = 1_500;
/** Seconds, at least. */
export const KV_EXPIRATION_TTL = 60;
export const QUEUE_SEND_MESSAGES = 100;
/** Bytes of an environment variable or secret. */
export const SCRIPT_VARIABLE_BYTES = 5_000;

export interface ContainerSize {
  readonly memoryMiB: number;
  readonly vcpu: number;
  readonly diskGB: number;
}

/** Predefined instance types of containers, smallest first. */
export const INSTANCE_TYPES = {
  lite: { memoryMiB: 256, vcpu: 1 / 16, diskGB: 2 },
  basic: { memoryMiB: 1_024, vcpu: 1 / 4, diskGB: 4 },
  "standard-1": { memoryMiB: 4_096, vcpu: 1 / 2, diskGB: 8 },
  "standard-2": { memoryMiB: 6_144, vcpu: 1, diskGB: 12 },
  "standard-3": { memoryMiB: 8_192, vcpu: 2, diskGB: 16 },
  "standard-4": { memoryMiB: 12_288, vcpu: 4, diskGB: 20 },
} as const satisfies Readonly<Record<string, ContainerSize>>;
