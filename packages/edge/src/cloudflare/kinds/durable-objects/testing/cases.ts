import { account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, withNamespace } from "#cloudflare/api/testing/case.ts";
import { uploadTenant } from "#cloudflare/api/testing/tenant.ts";
import { durableObjectsApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: durableObjectsApi,
    prepare: async (server) => {
      await withNamespace(server);
      await uploadTenant(server.cloudflare, "tenant", ["Sandbox", "Supervisor", "Other"]);
    },
    given: ["tenants_tenant_Sandbox", "tenants_tenant_Supervisor", "tenants_tenant_Other"],
    list: (cloudflare) =>
      follow(cloudflare.durableObjects.namespaces.list({ account_id, per_page: 2 }), (one) => one.name),
    call: (cloudflare) => cloudflare.durableObjects.namespaces.list({ account_id }),
  },
];

const reported =
  "The vendor tells it, and the package does not declare it: only as a help where the declared ways fail.";

/** Known differences from the `cloudflare` package, by `METHOD answers|takes PATH: PROBLEM`, with reasons. */
export const knownMismatches = {
  "durableObjects.namespaces.list answers [].dispatch_namespace: is not declared": reported,
};
