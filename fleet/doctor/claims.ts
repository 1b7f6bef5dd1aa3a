/** Who has to do with a tenant: as long as anybody has, nothing of the tenant is removed. */
import { qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { stackName } from "#domain/tenants/owner.ts";
import type { Evidence } from "./evidence.ts";
import type { StackFacts } from "./stacks/stack-facts.ts";

/** Why nothing of a tenant may be removed, a clause each: its row, its stack, a job, a gateway that runs, or that one of these is not known. */
export function claimsOn(
  tenant: string,
  { platform, stacks, rows, heartbeats }: Pick<Evidence, "platform" | "stacks" | "rows" | "heartbeats">,
): string[] {
  const claims: string[] = [];
  if ("fault" in rows) claims.push("whether the database has the tenant is not known");
  else {
    if (rows.found.tenants.some(({ slug }) => slug === tenant)) claims.push(`the database has the client ${tenant}`);
    const job = rows.found.jobs.find(({ slug }) => slug === tenant);
    if (job !== undefined) claims.push(`the job ${job.kind} ${job.id} of it has not ended`);
  }
  const stack = stacks.find((facts) => isOf(facts, tenant, qualifiedStack(platform.stack)));
  if (stack !== undefined) claims.push(`the stack ${stack.stack} is the tenant's`);
  if ("fault" in heartbeats) claims.push("whether its gateway runs is not known");
  else {
    const last = heartbeats.found.get(tenant);
    if (last !== undefined) claims.push(`its gateway told at ${last.toISOString()} that it runs`);
  }
  return claims;
}

/** A stack that does not tell its platform, as one that is only made, may be this one's. */
function isOf({ stack, platform, tenants, isEmpty }: StackFacts, tenant: string, wanted: string): boolean {
  if (stack === wanted || qualifiedStack(stack) === wanted) return tenants.includes(tenant);
  if (platform !== undefined && platform !== wanted) return false;
  return tenants.includes(tenant) || (isEmpty && stackName(stack).endsWith(`-${tenant}`));
}
