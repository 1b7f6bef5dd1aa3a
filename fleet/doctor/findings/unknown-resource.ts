/** Resources of the account that belong to a tenant by name and that no stack has, such as those of a killed run. */
import { type AccountResource, type ResourceKind, resourceKinds } from "../account/account-resource.ts";
import { ACCOUNT_KINDS } from "../account/kinds.ts";
import { type Conclusion, type Evidence, type Finding, holderOf, isPending, twinOf } from "../evidence.ts";
import type { Platform } from "../platform.ts";

/** Kinds with a rule of their own. */
const OTHER_RULES: readonly ResourceKind[] = ["bucket", "api_token"];

export function unknownResources(evidence: Evidence): Conclusion[] {
  return resourceKinds
    .filter((kind) => !OTHER_RULES.includes(kind))
    .map((kind): Conclusion => {
      const listed = evidence.account[kind];
      if ("fault" in listed) return { about: kind, fault: listed.fault };
      const findings = unowned(listed.found, evidence).map((resource) =>
        findingOf(resource, evidence.platform, twinOf(resource, evidence)),
      );
      return { about: kind, findings };
    });
}

/** Returns the resources that no stack has and that no run is creating. */
export function unowned(resources: readonly AccountResource[], { stacks }: Pick<Evidence, "stacks">) {
  return resources.filter((resource) => holderOf(stacks, resource) === undefined && !isPending(stacks, resource.name));
}

/** @param twin of a stack, of which the resource is a copy. Default: none. */
export function findingOf(resource: AccountResource, platform: Platform, twin?: AccountResource): Finding {
  const { kind, id, name, identity, tenant, createdAt } = resource;
  return {
    what: ACCOUNT_KINDS[kind].title,
    name,
    identity,
    tenant,
    createdAt,
    why: twin === undefined ? "no stack has it" : "no stack has it; it is a copy of the one that a stack has",
    remedy:
      twin === undefined
        ? `--fix removes it if ${tenant} is unused; otherwise import it, or delete it: DELETE /${PATHS[kind](platform)}/${id}`
        : "--fix removes it",
    removable: resource,
    twin,
  };
}

const PATHS: Readonly<Record<ResourceKind, (platform: Platform) => string>> = {
  dns_record: ({ zoneId }) => `zones/${zoneId}/dns_records`,
  container_application: ({ accountId }) => `accounts/${accountId}/containers/applications`,
  script: ({ accountId, dispatchNamespace }) =>
    `accounts/${accountId}/workers/dispatch/namespaces/${dispatchNamespace}/scripts`,
  access_application: ({ accountId }) => `accounts/${accountId}/access/apps`,
  access_policy: ({ accountId }) => `accounts/${accountId}/access/policies`,
  access_group: ({ accountId }) => `accounts/${accountId}/access/groups`,
  api_token: ({ accountId }) => `accounts/${accountId}/tokens`,
  ai_gateway: ({ accountId }) => `accounts/${accountId}/ai-gateway/gateways`,
  bucket: ({ accountId }) => `accounts/${accountId}/r2/buckets`,
};
