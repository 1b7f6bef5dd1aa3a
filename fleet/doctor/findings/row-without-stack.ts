/** Rows of tenants whom no stack has: their stack's state was lost, or never came to be. Rows are never removed. */
import type { KnownTenant } from "../../../database/tenants/known-tenants.ts";
import { stackOf } from "../../../domain/owner.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

export function rowsWithoutStacks({ own, rows }: Evidence): Conclusion[] {
  const about = "row_without_stack";
  if ("fault" in rows) return [{ about, fault: `rows without stacks: ${rows.fault}` }];
  const declared = new Set(own.flatMap(({ tenants }) => tenants));
  const atWork = new Set(rows.found.jobs.map(({ slug }) => slug));
  const findings = rows.found.tenants
    .filter((tenant) => !declared.has(tenant.slug) && !atWork.has(tenant.slug) && isDeployed(tenant))
    .map((tenant): Finding => {
      const { slug, clientId, instance, managedBy } = tenant;
      const owner = stackOf(instance?.owner ?? tenant.owner ?? "") ?? "none";
      return {
        what: instance === null ? "client" : "instance",
        name: slug,
        identity: instance?.id ?? clientId,
        tenant: slug,
        createdAt: null,
        why: `no stack of the platform has ${slug}; the row's is ${owner}${aliveText(instance?.lastAlive ?? null)}`,
        remedy:
          managedBy === "dashboard"
            ? `create it again at the dashboard, or remove it there: DELETE /client/instance/${instance?.id ?? ":id"}`
            : `bring it up again: npm run fleet -- up, with TENANTRY_TAKE_OVER=${slug} where another stack than ${owner} declares it; to have it gone, destroy that stack then`,
      };
    });
  return [{ about, findings }];
}

/** A client of the dashboard's may be without an instance, and one that never came to be says so itself. */
function isDeployed({ managedBy, instance }: KnownTenant): boolean {
  if (instance === null) return managedBy === "git";
  if (instance.underWay) return false;
  return instance.managedBy === "git" || instance.owner !== null;
}

const aliveText = (at: Date | null) => (at === null ? "" : `; its gateway was alive at ${at.toISOString()}`);
