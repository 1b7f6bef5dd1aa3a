/** Rows of tenants whom no stack has: their stack's state was lost, or never came to be. Rows are never removed. */
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
  const atWork = new Set(rows.found.jobs.map(({ slug }) => slug));
  const findings = rows.found.tenants
    .filter((tenant) => !declared.has(tenant.slug) && !atWork.has(tenant.slug) && isDeployed(tenant, evidence))
    .map((tenant): Finding => {
      const { slug, clientId, instance, managedBy } = tenant;
      const owner = stackOf(instance?.owner ?? tenant.owner ?? "");
      return {
        what: instance === null ? "client" : "instance",
        name: slug,
        identity: instance?.id ?? clientId,
        tenant: slug,
        createdAt: null,
        why: `no stack of the platform has ${slug}; the row's is ${owner ?? "none"}${aliveText(instance?.lastAlive ?? null)}`,
        remedy:
          managedBy === "dashboard"
            ? `create it again at the dashboard, or remove it there: DELETE /client/instance/${instance?.id ?? ":id"}`
            : gitRemedy(slug, owner ?? "STACK", evidence),
      };
    });
  return [{ about, findings }];
}

/** Also where the tenant is to go: the database gives up a row only to the stack that has it. */
function gitRemedy(slug: string, owner: string, evidence: Evidence): string {
  const { account } = evidence;
  const buckets = "found" in account.bucket ? unowned(account.bucket.found, evidence) : [];
  const adopts = buckets.some(({ tenant }) => tenant === slug) ? `${ADOPT_BUCKETS_VARIABLE}=${slug} ` : "";
  return (
    `declare it again and bring it up: ${adopts}${upCommand(owner, evidence)}, with TENANTRY_TAKE_OVER=${slug} where another ` +
    `stack than ${owner} declares it; to have it gone, then ${removalCommand(owner, evidence)}`
  );
}

/** A client of the dashboard's may be without an instance, and one that never came to be says so itself. */
function isDeployed({ managedBy, instance }: KnownTenant, { restores }: Evidence): boolean {
  if (instance === null) return managedBy === "git";
  // What was under way in a dump is not under way after its restore.
  const restored = "found" in restores && restores.found.some(({ restoredAt }) => instance.changedAt < restoredAt);
  if (instance.underWay && !restored) return false;
  return instance.managedBy === "git" || instance.owner !== null;
}

const aliveText = (at: Date | null) => (at === null ? "" : `; its gateway was alive at ${at.toISOString()}`);
