/** What an account holds a limited number of, in words. */
import type { CapacityKind } from "#domain/plans/capacity.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";

export const capacityNames: Readonly<Record<CapacityKind, string>> = {
  accessApplications: "Access applications",
  accessGroups: "Access groups",
  accessPolicies: "Reusable Access policies",
  apiTokens: "API tokens",
  aiGateways: "AI gateways",
  containerMemoryMiB: "Containers' memory",
  containerVcpu: "Containers' vCPU",
};

const MIB_A_GIB = 1_024;

/** How a number of it is written. */
export const capacityFormat = (kind: CapacityKind): ((value: number) => string) =>
  kind === "containerMemoryMiB" ? (mib) => `${formatNumber(Math.round(mib / MIB_A_GIB))} GiB` : formatNumber;
