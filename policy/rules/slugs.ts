import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { slugFault } from "#domain/names/slug.ts";
import { LATER } from "../known.ts";
import { bindingText, RECORD, readRecord, readTenantScript, TENANT_SCRIPT } from "../resources.ts";

const CLIENTS = "tenantry.clients";

/**
 * What names a tenant may name one (spec: "Reserved hostnames"; `domain/names/slug.ts` decides): the row of a client, and the slug that a tenant's script is
 * told. A tenant that had the dashboard's name, or one that ends as another environment's do, would answer at another's host.
 */
export const slugs: ResourceValidationPolicy = {
  name: "slugs",
  description: "Tenants have no reserved names, and none that is another tenant's in another environment.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    const slug = slugOf(resource);
    const fault = slug === undefined ? undefined : slugFault(slug);
    if (fault !== undefined) report(`The slug "${slug}" ${fault}.`);
  },
};

/** The slug that a resource declares; undefined where it declares none or it is not known. */
function slugOf(resource: ResourceValidationArgs): string | undefined {
  if (resource.type === TENANT_SCRIPT) return bindingText(readTenantScript(resource), "TENANT_SLUG");
  if (resource.type !== RECORD) return undefined;
  const { table, key } = readRecord(resource);
  return table === CLIENTS && key !== LATER && typeof key.slug === "string" ? key.slug : undefined;
}
