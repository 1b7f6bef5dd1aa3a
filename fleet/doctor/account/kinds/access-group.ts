import * as z from "zod";
import { memberGroupName } from "#domain/access/member-group.ts";
import { slugOfHostname } from "#domain/names/hostnames.ts";
import { accountKind } from "../account-resource.ts";

const group = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  created_at: z.string().nullish(),
});
const PREFIX = memberGroupName("");

export const accessGroups = accountKind("access_group", {
  title: "Access group",
  right: "Access: Organizations, Identity Providers, and Groups (Read)",
  list: ({ client, account }) => client.zeroTrust.access.groups.list(account),
  get: ({ client, account }, id) => client.zeroTrust.access.groups.get(id, account),
  remove: ({ client, account }, id) => client.zeroTrust.access.groups.delete(id, account),
  parse({ platform }, record) {
    const { id, name = "", created_at: createdAt = null } = group.parse(record);
    if (id === undefined || !name.startsWith(PREFIX)) return undefined;
    const tenant = slugOfHostname(name.slice(PREFIX.length), platform.environment, platform.domain);
    return tenant === undefined ? undefined : { id, name, tenant, createdAt };
  },
});
