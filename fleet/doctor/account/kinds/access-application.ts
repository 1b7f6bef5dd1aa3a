import * as z from "zod";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { accountKind } from "../account-resource.ts";

const application = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  domain: z.string().optional(),
  created_at: z.string().nullish(),
});

export const accessApplications = accountKind("access_application", {
  title: "Access application",
  right: "Access: Apps and Policies (Read)",
  list: ({ client, account }) => client.zeroTrust.access.applications.list(account),
  get: ({ client, account }, id) => client.zeroTrust.access.applications.get(id, account),
  remove: ({ client, account }, id) => client.zeroTrust.access.applications.delete(id, account),
  parse({ tenants, platform }, record) {
    const { id, name = "", domain = "", created_at: createdAt = null } = application.parse(record);
    const [host = "", ...path] = domain.split("/");
    // A path of a host has an application of its own: `Tenant acme: /api/health`.
    const suffix = path.length === 0 ? "" : `: /${path.join("/")}`;
    if (id === undefined || !name.endsWith(suffix)) return undefined;
    const tenant = tenants.of("accessApplication", name.slice(0, name.length - suffix.length));
    if (tenant === undefined || tenantHostname(tenant, platform.environment, platform.domain) !== host)
      return undefined;
    return { id, name, tenant, createdAt };
  },
});
