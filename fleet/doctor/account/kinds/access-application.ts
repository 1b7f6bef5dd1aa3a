/** Access applications of tenants' hosts: by their name, at the host that belongs to it. */
import * as z from "zod";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const application = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  domain: z.string().optional(),
  created_at: z.string().nullish(),
});

function thing({ tenants, platform }: AccountArgs, found: unknown): Thing[] {
  const { id, name = "", domain = "", created_at: createdAt = null } = application.parse(found);
  const [host = "", ...path] = domain.split("/");
  // A path of a host has an application of its own: `Tenant acme: /api/health`.
  const suffix = path.length === 0 ? "" : `: /${path.join("/")}`;
  if (id === undefined || !name.endsWith(suffix)) return [];
  const tenant = tenants.of("accessApplication", name.slice(0, name.length - suffix.length));
  if (tenant === undefined || tenantHostname(tenant, platform.environment, platform.domain) !== host) return [];
  return [{ kind: "access_application", id, identity: id, name, tenant, createdAt }];
}

export const accessApplications: AccountKind = {
  kind: "access_application",
  title: "Access application",
  right: "Access: Apps and Policies (Read)",
  async list(args) {
    const { client, platform } = args;
    const things: Thing[] = [];
    for await (const one of client.zeroTrust.access.applications.list({ account_id: platform.accountId }))
      things.push(...thing(args, one));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.zeroTrust.access.applications.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async remove({ client, platform }, { id }) {
    await client.zeroTrust.access.applications.delete(id, { account_id: platform.accountId });
  },
};
