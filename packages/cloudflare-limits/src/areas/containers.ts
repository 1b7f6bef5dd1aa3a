import { type Limit, NOT_DOCUMENTED, PAGES } from "../limit.ts";
import { CONTAINER_MEMORY_MIB, CONTAINER_VCPU } from "../values.ts";

const page = PAGES.containers;
/** Error of an invalid configuration (cloudflare/workers-sdk, containers-shared: ApplicationMutationError). */
const custom = (text: string) => ({ status: 400, code: 1607, text: `VALIDATE_INPUT: ${text}` });

export const containers = {
  containerMemory: {
    of: "Memory of an account's running containers",
    value: CONTAINER_MEMORY_MIB,
    unit: "MiB",
    page,
    beyond: NOT_DOCUMENTED,
  },
  containerVcpu: {
    of: "vCPU of an account's running containers",
    value: CONTAINER_VCPU,
    unit: "vCPU",
    page,
    beyond: NOT_DOCUMENTED,
  },
  containerDisk: {
    of: "Disk of an account's running containers",
    value: 30_000,
    unit: "GB",
    page,
    beyond: NOT_DOCUMENTED,
  },
  containerImages: { of: "Images of an account", value: 50, unit: "GB", page, beyond: NOT_DOCUMENTED },
  customVcpu: {
    of: "vCPU of a custom instance type",
    value: 4,
    unit: "vCPU",
    page,
    beyond: custom("vcpu must be at most {limit}"),
  },
  customVcpuLeast: {
    of: "vCPU of a custom instance type",
    value: 1,
    unit: "vCPU",
    isMinimum: true,
    page,
    beyond: custom("vcpu must be at least {limit}"),
  },
  customMemory: {
    of: "Memory of a custom instance type",
    value: 12 * 1_024,
    unit: "MiB",
    page,
    beyond: custom("memory_mib must be at most {limit}"),
  },
  customMemoryPerVcpu: {
    of: "Memory of a custom instance type for each vCPU",
    value: 3 * 1_024,
    unit: "MiB",
    isMinimum: true,
    page,
    beyond: custom("memory_mib must be at least {limit} for each vCPU"),
  },
  customDisk: {
    of: "Disk of a custom instance type",
    value: 20_000,
    unit: "MB",
    page,
    beyond: custom("disk size_mb must be at most {limit}"),
  },
  customDiskPerMemory: {
    of: "Disk of a custom instance type for each GiB of memory",
    value: 2_000,
    unit: "MB",
    page,
    beyond: {
      ...custom("disk cannot be more than {limit} MB for each GiB of memory"),
      source: "https://github.com/nikolanovoselec/codeflare/pull/312",
    },
  },
} as const satisfies Record<string, Limit>;
