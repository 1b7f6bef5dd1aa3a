import { qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { stackName } from "#domain/tenants/owner.ts";
import type { AccountResource, ResourceKind } from "./account/account-resource.ts";
import type { Evidence } from "./evidence.ts";
import type { StackFacts } from "./stacks/stack-facts.ts";

/** Types of kinds whose names the API does not keep unique. */
const REPEATABLE: Partial<Record<ResourceKind, string>> = {
  access_policy: "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy",
  api_token: "cloudflare:index/accountToken:AccountToken",
};

/** Returns the stack that has another resource of this kind and name. The plugin repeats a create if it gets no answer. */
export const originalOf = (
  stacks: readonly StackFacts[],
  { kind, name }: Pick<AccountResource, "kind" | "name">,
): StackFacts | undefined =>
  stacks.find(({ resources }) =>
    [...resources.values()].some((resource) => resource.type === REPEATABLE[kind] && resource.name === name),
  );

/** Returns why a resource of a tenant that no stack has must stay, one clause each. Empty: it may be removed. */
export function claimsOn(
  resource: Pick<AccountResource, "kind" | "name" | "tenant">,
  { platform, stacks, rows, heartbeats }: Pick<Evidence, "platform" | "stacks" | "rows" | "heartbeats">,
): string[] {
  if (originalOf(stacks, resource) !== undefined) return [];
  const { tenant } = resource;
  const claims: string[] = [];
  if ("fault" in rows) claims.push("it is unknown whether the database has the tenant");
  else {
    if (rows.found.tenants.some(({ slug }) => slug === tenant)) claims.push(`the database has the client ${tenant}`);
    const job = rows.found.jobs.find(({ slug }) => slug === tenant);
    if (job !== undefined) claims.push(`the tenant's job ${job.kind} ${job.id} has not ended`);
  }
  const stack = stacks.find((facts) => holdsTenant(facts, tenant, qualifiedStack(platform.stack)));
  if (stack !== undefined) claims.push(`the stack ${stack.stack} belongs to the tenant`);
  if ("fault" in heartbeats) claims.push("it is unknown whether its gateway runs");
  else {
    const last = heartbeats.found.get(tenant);
    if (last !== undefined) claims.push(`its gateway sent a heartbeat at ${last.toISOString()}`);
  }
  return claims;
}

/** A stack that names no platform, such as a new one, may belong to this platform. */
function holdsTenant({ stack, platform, tenants, isEmpty }: StackFacts, tenant: string, wanted: string): boolean {
  if (stack === wanted || qualifiedStack(stack) === wanted) return tenants.includes(tenant);
  if (platform !== undefined && platform !== wanted) return false;
  return tenants.includes(tenant) || (isEmpty && stackName(stack).endsWith(`-${tenant}`));
}
