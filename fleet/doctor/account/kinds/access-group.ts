/** Access groups of tenants' members, which have the tenant's host in their names. */
import * as z from "zod";
import { memberGroupName } from "#domain/access/member-group.ts";
import { slugOfHostname } from "#domain/names/hostnames.ts";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const group = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  created_at: z.string().nullish(),
});
const PREFIX = memberGroupName("");

function thing({ platform }: AccountArgs, found: unknown): Thing[] {
  const { id, name = "", created_at: createdAt = null } = group.parse(found);
  if (id === undefined || !name.startsWith(PREFIX)) return [];
  const tenant = slugOfHostname(name.slice(PREFIX.length), platform.environment, platform.domain);
  return tenant === undefined ? [] : [{ kind: "access_group", id, identity: id, name, tenant, createdAt }];
}

export const accessGroups: AccountKind = {
  kind: "access_group",
  title: "Access group",
  right: "Access: Organizations, Identity Providers, and Groups (Read)",
  async list(args) {
    const { client, platform } = args;
    const things: Thing[] = [];
    for await (const one of client.zeroTrust.access.groups.list({ account_id: platform.accountId }))
      things.push(...thing(args, one));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.zeroTrust.access.groups.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async remove({ client, platform }, { id }) {
    await client.zeroTrust.access.groups.delete(id, { account_id: platform.accountId });
  },
};
