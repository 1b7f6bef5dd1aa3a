/** Options of containers that workerd does not set. */
import * as z from "zod";
import {
  type ContainerSize,
  cpuQuota,
  cpuShares,
  MOST_PROCESSES,
  memoryBytes,
  PERIOD_US,
} from "../../isolation/cgroups.ts";
import type { Abilities } from "./abilities.ts";
import { guardedEntrypoint, SIDECAR_GROUP } from "./sidecar-rules.ts";

/** The body of a call that creates a container. */
export const createBody = z.looseObject({
  Image: z.string(),
  HostConfig: z
    .looseObject({ ExtraHosts: z.array(z.string()).nullish(), Binds: z.array(z.string()).nullish() })
    .nullish(),
});
export type CreateBody = z.infer<typeof createBody>;

/**
 * What a container may write to: its state, temporary files, and the certificate of its sidecar's authority, which workerd writes. Volumes, so
 * that they are as old as the container.
 */
const WRITABLE = ["/workspace", "/tmp", "/etc/cloudflare"];
/** A sidecar has about ten, and one for each program that sets a rule. */
const MOST_SIDECAR_PROCESSES = 256;

/** Of its rules, sockets and ports, and of the folder that it creates in its root, which some engines give no one the right to write. */
const SIDECAR_RIGHTS = ["NET_ADMIN", "NET_RAW", "NET_BIND_SERVICE", "DAC_OVERRIDE"];

const RIGHTLESS = { Privileged: false, CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"] };

function limitsOf({ memory, swap, cpu, pids }: Abilities, size: ContainerSize | undefined): object {
  const processes = pids ? { PidsLimit: MOST_PROCESSES } : {};
  if (size === undefined) return processes;
  const Memory = memoryBytes(size);
  return {
    ...processes,
    ...(memory && { Memory, ...(swap && { MemorySwap: Memory }) }),
    ...(cpu && { CpuShares: cpuShares(size), CpuPeriod: PERIOD_US, CpuQuota: cpuQuota(size) }),
  };
}

/**
 * Returns the body for a container without rights, with a read-only root and limits.
 *
 * @param o.size Default: limits of processes only
 * @param o.filter file with the filter of system calls. Default: the engine's
 * @param o.disk volumes of limited size, as `VOLUME:PATH`. Default: volumes without limit
 */
export function hardenContainer(
  body: CreateBody,
  abilities: Abilities,
  { size, filter, disk }: { size: ContainerSize | undefined; filter: string | undefined; disk: readonly string[] },
): CreateBody {
  const others = WRITABLE.filter((path) => !disk.some((volume) => volume.endsWith(`:${path}`)));
  return {
    ...body,
    Volumes: Object.fromEntries(others.map((path) => [path, {}])),
    HostConfig: {
      ...body.HostConfig,
      ...(disk.length > 0 && { Binds: [...(body.HostConfig?.Binds ?? []), ...disk] }),
      ...RIGHTLESS,
      ...(filter !== undefined && { SecurityOpt: [...RIGHTLESS.SecurityOpt, `seccomp=${filter}`] }),
      CapAdd: [],
      ReadonlyRootfs: true,
      ...limitsOf(abilities, size),
    },
  };
}

/**
 * Returns the body for a sidecar that separates its network from others.
 *
 * @param o.gateway the machine's address for containers, for engines without `host-gateway`, such as Podman before 4.7
 */
export function hardenSidecar(
  body: CreateBody,
  { pids }: Abilities,
  o: { entrypoint: readonly string[]; gateway: string | undefined },
): CreateBody {
  const hosts = body.HostConfig?.ExtraHosts ?? [];
  const known = hosts.map((host) => (o.gateway === undefined ? host : host.replace(/:host-gateway$/, `:${o.gateway}`)));
  return {
    ...body,
    User: `0:${SIDECAR_GROUP}`,
    Entrypoint: guardedEntrypoint(o.entrypoint),
    HostConfig: {
      ...body.HostConfig,
      ...RIGHTLESS,
      CapAdd: SIDECAR_RIGHTS,
      ExtraHosts: known,
      ...(pids && { PidsLimit: MOST_SIDECAR_PROCESSES }),
    },
  };
}
