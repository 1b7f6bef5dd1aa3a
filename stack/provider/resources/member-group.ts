import { unlessGone } from "@tenantry/cloudflare-client/client";
import { resource, UserError } from "@tenantry/plugin-host";
import type { GroupUpdateParams } from "cloudflare/resources/zero-trust/access/groups.js";
import * as z from "zod";
import { type GroupRules, includedGroups, memberRules, unexpectedRules } from "../access/member-rules.ts";
import type { Clients } from "../clients.ts";

const inputs = z.object({
  accountId: z.string().min(1),
  name: z.string().min(1),
  // A set: the order of rules is nobody's.
  groups: z
    .array(z.string().min(1))
    .min(1, "name a group: one without any rule is refused")
    .transform((groups) => [...new Set(groups)].toSorted()),
  /** Of what is live, rules that nobody declared: none of them is ever wanted. */
  unexpectedRules: z.array(z.string()).default([]),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  groupId: string;
}

function parseId(id: string): { accountId: string; groupId: string } {
  const [accountId, groupId, ...rest] = id.split("/");
  if (!accountId || !groupId || rest.length > 0) {
    throw new UserError(`'${id}' is not an id of an Access group; it reads '{accountId}/{groupId}'.`);
  }
  return { accountId, groupId };
}

/** The whole group as it is to be, with the members that it has. */
function body({ accountId, name, groups }: Inputs, live: GroupRules): GroupUpdateParams {
  return {
    account_id: accountId,
    name,
    include: [...groups.map((id) => ({ group: { id } })), ...memberRules(live)],
    exclude: [],
    require: [],
  };
}

/** An Access group whose members, named by e-mail address each, are data: they are kept, and never told of. */
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
    const made = adopted ?? (await groups.create(body(wanted, {})));
    if (adopted !== undefined) await groups.update(adopted.id, body(wanted, adopted.rules));
    if (made.id === undefined) throw new UserError(`Cloudflare gave the Access group '${name}' no id.`);
    return { id: `${accountId}/${made.id}`, outputs: { groupId: made.id } };
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
    // The vendor takes a group as a whole only, so what it holds is read right before.
    const live = await groups.get(groupId, { account_id: wanted.accountId });
    await groups.update(groupId, body(wanted, live));
    return old.outputs;
  },

  async delete(clients, id) {
    const { accountId, groupId } = parseId(id);
    await unlessGone(clients.cloudflare().zeroTrust.access.groups.delete(groupId, { account_id: accountId }));
  },
});
