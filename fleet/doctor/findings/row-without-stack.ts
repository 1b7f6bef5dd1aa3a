/** Rows of tenants that no stack has, because the state was lost or never written. Rows are never removed. */
import type { KnownTenant } from "#database/tenants/known-tenants.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { ADOPT_BUCKETS_VARIABLE } from "#stack/settings/run-flags.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import { removalCommand, upCommand } from "./commands.ts";
import { unowned } from "./unknown-resource.ts";

export function rowsWithoutStacks(evidence: Evidence): Conclusion[] {
  const { own, rows } = evidence;
  const about = "row_without_stack";
  if ("fault" in rows) return [{ about, fault: `rows without stacks: ${rows.fault}` }];
  const declared = new Set(own.flatMap(({ tenants }) => tenants));
  const changing = new Set(rows.found.jobs.map(({ slug }) => slug));
  const findings = rows.found.tenants
    .filter((tenant) => !declared.has(tenant.slug) && !changing.has(tenant.slug) && isDeployed(tenant, evidence))
    .map((tenant): Finding => {
      const { slug, clientId, instance, managedBy } = tenant;
      const owner = stackOf(instance?.owner ?? tenant.owner ?? "");
      const lastAlive = instance?.lastAlive ?? null;
      const alive = lastAlive === null ? "" : `; its gateway was last seen at ${lastAlive.toISOString()}`;
      return {
        what: instance === null ? "client" : "instance",
        name: slug,
        identity: instance?.id ?? clientId,
        tenant: slug,
        why: `no stack of the platform has ${slug}; the row belongs to ${owner ?? "no stack"}${alive}`,
        remedy:
          managedBy === "dashboard"
            ? `create it again in the dashboard, or remove it there: DELETE /client/instance/${instance?.id ?? ":id"}`
            : gitRemedy(slug, owner ?? "STACK", evidence),
      };
    });
  return [{ about, findings }];
}

/** A removal needs the declaration too: the database releases a row only to the stack that has it. */
function gitRemedy(slug: string, owner: string, evidence: Evidence): string {
  const { account } = evidence;
  const buckets = "found" in account.bucket ? unowned(account.bucket.found, evidence) : [];
  const adopts = buckets.some(({ tenant }) => tenant === slug) ? `${ADOPT_BUCKETS_VARIABLE}=${slug} ` : "";
  return (
    `declare it again and deploy it: ${adopts}${upCommand(owner, evidence)}. If a stack other than ${owner} declares it, set ` +
    `TENANTRY_TAKE_OVER=${slug}. To remove it, then ${removalCommand(owner, evidence)}`
  );
}

/** A client of the dashboard may have no instance; a failed provisioning is reported by the instance itself. */
function isDeployed({ managedBy, instance }: KnownTenant, { restores }: Evidence): boolean {
  if (instance === null) return managedBy === "git";
  // After a restore, the operation that was under way in the dump no longer runs.
  const restored = "found" in restores && restores.found.some(({ restoredAt }) => instance.changedAt < restoredAt);
  if (instance.underWay && !restored) return false;
  return instance.managedBy === "git" || instance.owner !== null;
}
