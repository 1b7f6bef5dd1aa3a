import { unlessGone } from "@tenantry/cloudflare-client/client";
import { UserError } from "@tenantry/plugin-host/errors";
import { resource } from "@tenantry/plugin-host/resource";
import type { GroupUpdateParams } from "cloudflare/resources/zero-trust/access/groups.js";
import * as z from "zod";
import { type GroupRules, includedGroups, memberRules, unexpectedRules } from "../access/member-rules.ts";
import type { Clients } from "../clients.ts";
import { parseResourceId } from "../resource-id.ts";

const inputs = z.object({
  accountId: z.string().min(1),
  name: z.string().min(1),
  // Sorted, because the order of rules has no meaning.
  groups: z
    .array(z.string().min(1))
    .min(1, "must list a group, because Cloudflare rejects a group without rules")
    .transform((groups) => [...new Set(groups)].toSorted()),
  /** Live rules that nobody declared; the declared value is always empty. */
  unexpectedRules: z.array(z.string()).default([]),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  groupId: string;
}

const parseId = (id: string) => parseResourceId(id, "an Access group", ["accountId", "groupId"] as const);

function body({ accountId, name, groups }: Inputs, live: GroupRules): GroupUpdateParams {
  return {
    account_id: accountId,
    name,
    include: [...groups.map((id) => ({ group: { id } })), ...memberRules(live)],
    exclude: [],
    require: [],
  };
}

/** An Access group whose members, one e-mail address each, are data: updates preserve them, and nothing stores or shows them. */
export const memberGroup = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:MemberGroup",
  inputs,
  replaceOn: ["accountId"],
  removes: "The group with its members, from every policy that includes it.",
  identity: ({ accountId, name }) => `${accountId}/${name}`,

  async create(clients, wanted) {
    const { accountId, name } = wanted;
    const { groups } = clients.cloudflare().zeroTrust.access;
    const present: { id: string; rules: GroupRules }[] = [];
    for await (const group of groups.list({ account_id: accountId, name })) {
      if (group.name === name && group.id !== undefined) present.push({ id: group.id, rules: group });
    }
    const [adopted, ...others] = present;
    if (others.length > 0) {
      throw new UserError(`The account has ${present.length} Access groups '${name}': remove all but one.`);
    }
    const group = adopted ?? (await groups.create(body(wanted, {})));
    if (adopted !== undefined) await groups.update(adopted.id, body(wanted, adopted.rules));
    if (group.id === undefined) throw new UserError(`Cloudflare returned no id for the Access group '${name}'.`);
    return { id: `${accountId}/${group.id}`, outputs: { groupId: group.id } };
  },

  async read(clients, id) {
    const { accountId, groupId } = parseId(id);
    const { groups } = clients.cloudflare().zeroTrust.access;
    const live = await unlessGone(groups.get(groupId, { account_id: accountId }));
    if (live === undefined) return undefined;
    return {
      inputs: {
        accountId,
        name: live.name ?? "",
        groups: includedGroups(live).toSorted(),
        unexpectedRules: unexpectedRules(live),
      },
      outputs: { groupId },
    };
  },

  async update(clients, id, wanted, old) {
    const { groupId } = parseId(id);
    const { groups } = clients.cloudflare().zeroTrust.access;
    // The API replaces the whole group, so its live members are read immediately before.
    const live = await groups.get(groupId, { account_id: wanted.accountId });
    await groups.update(groupId, body(wanted, live));
    return old.outputs;
  },

  async delete(clients, id) {
    const { accountId, groupId } = parseId(id);
    await unlessGone(clients.cloudflare().zeroTrust.access.groups.delete(groupId, { account_id: accountId }));
  },
});
