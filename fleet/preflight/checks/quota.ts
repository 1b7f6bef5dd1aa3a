/** What the account would hold after the first `up`, by kind. */
import * as z from "zod";
import { LISTS } from "#automation/capacity/account.ts";
import { preflightAccountErrors as errors, preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import {
  ACCOUNT_NAMES,
  type AccountKind,
  accountKinds,
  accountNeeds,
  DEFAULT_ACCOUNT_LIMITS,
} from "#domain/plans/account-limits.ts";
import { CONTAINERS_OF_TENANT, containerUse, DEFAULT_CAPACITY, isScarce } from "#domain/plans/capacity.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import type { PlatformStackSettings } from "#stack/settings/settings.ts";
import { type Check, failed, type Outcome, passed, skipped, warned } from "../check.ts";
import { faultOf, isDenied } from "../cloudflare.ts";
import { ownResources, type Requirements } from "../requirements.ts";

/** Types of a stack's resources, by kind. */
const TYPES: Readonly<Record<AccountKind, RegExp>> = {
  accessApplications: /:ZeroTrustAccessApplication$/,
  accessGroups: /:(ZeroTrustAccessGroup|MemberGroup)$/,
  accessPolicies: /:ZeroTrustAccessPolicy$/,
  apiTokens: /:AccountToken$/,
  aiGateways: /:AiGateway$/,
};

const PERMISSIONS: Readonly<Record<AccountKind | "containers", string>> = {
  accessApplications: "Access: Apps and Policies (Read)",
  accessGroups: "Access: Organizations, Identity Providers, and Groups (Read)",
  accessPolicies: "Access: Apps and Policies (Read)",
  apiTokens: "Account API Tokens (Read)",
  aiGateways: "AI Gateway (Read)",
  containers: "Workers Containers (Read)",
};

const identified = z.object({ id: z.string() });
const application = z.object({
  id: z.string(),
  max_instances: z.number().nullish(),
  configuration: z.object({ instance_type: z.enum(instanceTypes).nullish().catch(null) }).prefault({}),
});

export const quotaChecks: readonly Check[] = [
  ...accountKinds.map(
    (kind): Check => ({
      id: `quota_${kind}`,
      title: `Quota of ${ACCOUNT_NAMES[kind]}`,
      run: (requirements) => checkKind(kind, requirements),
    }),
  ),
  { id: "quota_containers", title: "Quota of containers", run: checkContainers },
];

async function checkKind(kind: AccountKind, requirements: Requirements): Promise<Outcome> {
  const { api, settings } = requirements;
  const listed = await api.list(`/accounts/${settings.platform.accountId}/${LISTS[kind]}`);
  if ("refused" in listed) return uncounted(kind, listed.refused);
  const own = ownResources(requirements);
  const others = listed.items.filter((item) => {
    const id = identified.safeParse(item).data?.id;
    return id === undefined || !TYPES[kind].test(own.get(id)?.type ?? "");
  }).length;
  // The setting may be less than the vendor's limit by what others use, or more after an increase.
  const limit = Math.max(DEFAULT_ACCOUNT_LIMITS[kind], settings.platform.limits[kind]);
  return compare({ kind: ACCOUNT_NAMES[kind], others, planned: plannedUse(settings)[kind], limit });
}

async function checkContainers(requirements: Requirements): Promise<Outcome> {
  const { api, settings } = requirements;
  const listed = await api.list(`/accounts/${settings.platform.accountId}/containers/applications`);
  if ("refused" in listed) return uncounted("containers", listed.refused);
  const own = ownResources(requirements);
  const others = z
    .array(application)
    .parse(listed.items)
    .filter(({ id }) => !own.has(id))
    // Cloudflare's default type.
    .map(({ configuration, max_instances }) => ({
      type: configuration.instance_type ?? "lite",
      most: max_instances ?? 0,
    }));
  const planned = settings.clients.map(({ plan }) => ({
    type: settings.platform.containers[plan],
    most: CONTAINERS_OF_TENANT,
  }));
  const [used, needed] = [containerUse(others), containerUse(planned)];
  const kinds = [
    ["containerMemoryMiB", "MiB of containers' memory"],
    ["containerVcpu", "vCPU of containers"],
  ] as const;
  const outcomes = kinds.map(([name, kind]) =>
    compare({ kind, others: used[name], planned: needed[name], limit: DEFAULT_CAPACITY[name] }),
  );
  const rank = ["fail", "warn", "skip", "pass"];
  return outcomes.toSorted((a, b) => rank.indexOf(a.state) - rank.indexOf(b.state))[0] ?? passed();
}

interface Use {
  kind: string;
  /** Of others than this stack. */
  others: number;
  planned: number;
  limit: number;
}

function compare({ kind, others, planned, limit }: Use): Outcome {
  const needed = others + planned;
  if (needed > limit && planned > 0)
    return failed(errors.preflight_quota_exceeded, { kind, others, planned, needed, limit });
  if (isScarce(needed, limit)) return warned(errors.preflight_quota_scarce, { kind, needed, limit });
  return passed(`${needed} of ${limit}`);
}

function uncounted(kind: AccountKind | "containers", answer: Parameters<typeof faultOf>[0]): Outcome {
  return isDenied(answer)
    ? skipped(preflightErrors.preflight_check_without_permission, { permission: PERMISSIONS[kind] })
    : skipped(preflightErrors.preflight_check_failed, { fault: `${faultOf(answer)}.` });
}

/** Use of the platform and the clients of its stack. Tenants that the pool has no room for get AI gateways of their own. */
function plannedUse({ environment, platform, rotations, clients }: PlatformStackSettings): Record<AccountKind, number> {
  const needs = accountNeeds({
    ...platform,
    tokenRotation: rotations?.tenantTokens,
    platformTokenRotation: rotations?.apiTokens,
  })[environment];
  const use = (kind: AccountKind) => needs.platform[kind] + clients.length * needs.tenant[kind];
  const room = platform.aiGateways.filter(({ enabled }) => enabled).reduce((sum, { capacity }) => sum + capacity, 0);
  const unnamed = clients.filter(({ instances }) => instances[0]?.aiGateway === undefined).length;
  const dedicated = platform.createDedicatedAiGateways ? Math.max(0, unnamed - room) : 0;
  return {
    accessApplications: use("accessApplications"),
    accessGroups: use("accessGroups"),
    accessPolicies: use("accessPolicies"),
    apiTokens: use("apiTokens"),
    aiGateways: platform.aiGateways.length + dedicated,
  };
}
