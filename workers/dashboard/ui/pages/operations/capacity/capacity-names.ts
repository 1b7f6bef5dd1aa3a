import type { CapacityKind } from "#domain/plans/capacity.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";

export const capacityNames: Readonly<Record<CapacityKind, string>> = {
  accessApplications: "Access applications",
  accessGroups: "Access groups",
  accessPolicies: "Reusable Access policies",
  apiTokens: "API tokens",
  aiGateways: "AI gateways",
  containerMemoryMiB: "Container memory",
  containerVcpu: "Container vCPU",
};

const MIB_PER_GIB = 1_024;

export const capacityFormat = (kind: CapacityKind): ((value: number) => string) =>
  kind === "containerMemoryMiB" ? (mib) => `${formatNumber(Math.round(mib / MIB_PER_GIB))} GiB` : formatNumber;
