/** What applications and their rollouts share. */
import { INSTANCE_TYPES } from "@tenantry/cloudflare-limits/values";
import * as z from "zod";
import type { EdgeLimits } from "#limits/edge-limits.ts";
import { ApiError, recordFinder } from "../../api/operations.ts";
import type { RuntimePort } from "../../api/runtime-port.ts";
import type { ContainerApplicationRecord } from "./record.ts";
import { openRollout } from "./rollouts/record.ts";
import { healthOf } from "./rollouts/response.ts";

export const invalid = 1000;
/** Cloudflare's code for an error that the message names. */
const refused = 1607;
const instanceTypes = Object.keys(INSTANCE_TYPES) as (keyof typeof INSTANCE_TYPES)[];
export const authorizedKeys = z.array(z.looseObject({ public_key: z.string(), name: z.string().exactOptional() }));
export const configuration = z.looseObject({
  image: z.string().min(1),
  instance_type: z.enum(instanceTypes).exactOptional(),
  vcpu: z.number().exactOptional(),
  memory_mib: z.number().exactOptional(),
  disk: z.looseObject({ size_mb: z.number().exactOptional() }).exactOptional(),
  authorized_keys: authorizedKeys.exactOptional(),
});
/** What wrangler uploads without an instance type (https://developers.cloudflare.com/workers/wrangler/configuration/#containers). */
const DEFAULT_TYPE = INSTANCE_TYPES.lite;

/** Returns the memory, CPU and disk of a container. @param given a checked configuration */
export function sizeOf(given: object): { memoryMiB: number; vcpu: number; diskMB: number } {
  const { instance_type: type, vcpu, memory_mib: memoryMiB, disk } = configuration.partial().parse(given);
  const least = type === undefined ? DEFAULT_TYPE : INSTANCE_TYPES[type];
  return {
    memoryMiB: memoryMiB ?? least.memoryMiB,
    vcpu: vcpu ?? least.vcpu,
    diskMB: disk?.size_mb ?? least.diskGB * 1_000,
  };
}

/** Returns an error in the format of the containers API. */
export function containerApiError(status: number, name: string): ApiError {
  return new ApiError(status, refused, JSON.stringify({ error: name }));
}

type Configuration = Pick<z.infer<typeof configuration>, "instance_type" | "vcpu" | "memory_mib" | "disk">;

/** Checks a custom instance type. @throws ApiError 400 */
export function checkSize(limits: EdgeLimits, { instance_type, vcpu, memory_mib, disk }: Configuration): void {
  const custom = { vcpu, memory_mib, size_mb: disk?.size_mb };
  if (instance_type !== undefined || Object.values(custom).every((value) => value === undefined)) return;
  if (vcpu !== undefined) {
    limits.check("customVcpuLeast", vcpu);
    limits.check("customVcpu", vcpu);
    if (memory_mib !== undefined) limits.check("customMemoryPerVcpu", memory_mib / vcpu);
  }
  if (memory_mib !== undefined) limits.check("customMemory", memory_mib);
  if (custom.size_mb === undefined) return;
  limits.check("customDisk", custom.size_mb);
  if (memory_mib !== undefined) limits.check("customDiskPerMemory", (custom.size_mb * 1_024) / memory_mib);
}

/** Whether Durable Objects manage the containers, without versions and rollouts. */
export function isManaged({ scheduling_policy }: { scheduling_policy: string }): boolean {
  return scheduling_policy === "durable_object";
}

export const findApplication = recordFinder(
  "container_application",
  refused,
  JSON.stringify({ error: "APPLICATION_NOT_FOUND" }),
);

/** Returns the health of an application, or of its open rollout. */
export function applicationHealth(
  runtime: Pick<RuntimePort, "canPull" | "containerInstances">,
  application: ContainerApplicationRecord,
) {
  const open = openRollout(application);
  const { id, created_at: time } = open ?? application;
  const image = (open?.target_configuration ?? application.configuration).image;
  const isMissing = image !== undefined && !runtime.canPull(image);
  return healthOf(runtime.containerInstances(application.id), isMissing ? { id, image, time } : undefined);
}
