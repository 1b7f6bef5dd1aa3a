import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
import { slugFault } from "#domain/names/slug.ts";
import { LATER } from "../known.ts";
import { bindingText, RECORD, readRecord, readTenantScript, TENANT_SCRIPT } from "../resources.ts";

const CLIENTS = "tenantry.clients";

/**
 * Rows of clients and scripts of tenants have valid slugs (`domain/names/slug.ts`). With a reserved slug, or the suffix of another environment,
 * a tenant would serve another host.
 */
export const slugs: ResourceValidationPolicy = {
  name: "slugs",
  description: "Tenants have no reserved slugs, and none that names a host of another environment.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    const slug = slugOf(resource);
    const fault = slug === undefined ? undefined : slugFault(slug);
    if (slug !== undefined && fault !== undefined)
      report(errorText(policyErrors.tenant_slug_not_allowed, { slug, fault }));
  },
};

function slugOf(resource: ResourceValidationArgs): string | undefined {
  if (resource.type === TENANT_SCRIPT) return bindingText(readTenantScript(resource), "TENANT_SLUG");
  if (resource.type !== RECORD) return undefined;
  const { table, key } = readRecord(resource);
  return table === CLIENTS && key !== LATER && typeof key.slug === "string" ? key.slug : undefined;
}
