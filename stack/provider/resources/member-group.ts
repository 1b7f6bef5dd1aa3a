import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import { resource, UserError } from "@tenantry/plugin-host";
import type Cloudflare from "cloudflare";
import { APIError } from "cloudflare/error";
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import type { GroupUpdateParams } from "cloudflare/resources/zero-trust/access/groups.js";
import * as z from "zod";
import { memberAddress, memberToken } from "#domain/access/member-group.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";
import type { Clients } from "../clients.ts";
import { createOnce, NO_RETRY } from "../create-once.ts";
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

interface GroupRules {
  include?: AccessRule[] | null;
  exclude?: AccessRule[] | null;
  require?: AccessRule[] | null;
}

const kindOf = (rule: AccessRule): string => Object.keys(rule).join("+");

/** Returns the rules that name one user by e-mail address or one service token. They are data and must not be stored or shown. */
function memberRules({ include }: GroupRules): AccessRule[] {
  return (include ?? []).filter((rule) => memberAddress(rule) !== undefined || memberToken(rule) !== undefined);
}

function includedGroups({ include }: GroupRules): string[] {
  return (include ?? []).flatMap((rule) => ("group" in rule && kindOf(rule) === "group" ? [rule.group.id] : []));
}

/** Returns all other rules by place and kind, such as `include everyone`. Their values are omitted, because they can name people. */
function unexpectedRules({ include, exclude, require }: GroupRules): string[] {
  const describe = (place: string, rules: AccessRule[] | null | undefined) =>
    (rules ?? []).map((rule) => `${place} ${kindOf(rule)}`);
  const known = ["include email", "include group", "include service_token"];
  const included = describe("include", include).filter((rule) => !known.includes(rule));
  return [...included, ...describe("exclude", exclude), ...describe("require", require)].toSorted();
}

const parseId = (id: string) => parseResourceId(id, "an Access group", ["accountId", "groupId"] as const);

function groupUpdateBody({ accountId, name, groups }: Inputs, live: GroupRules): GroupUpdateParams {
  return {
    account_id: accountId,
    name,
    include: [...groups.map((id) => ({ group: { id } })), ...memberRules(live)],
    exclude: [],
    require: [],
  };
}

/**
 * Removes policies that admit this group only, and that no application uses. The vendor's plugin creates a second policy if it gets no
 * answer, and a policy keeps its group from being deleted.
 */
async function removeUnusedPolicies(client: Cloudflare, account_id: string, groupId: string): Promise<number> {
  const { policies } = client.zeroTrust.access;
  const unused: string[] = [];
  for await (const { id, include, exclude, require, app_count } of policies.list({ account_id })) {
    const admitsGroup = include?.length === 1 && includedGroups({ include })[0] === groupId;
    const isSimple = (exclude ?? []).length + (require ?? []).length === 0;
    if (id !== undefined && app_count === 0 && admitsGroup && isSimple) unused.push(id);
  }
  for (const id of unused) await policies.delete(id, { account_id });
  return unused.length;
}

/** An Access group whose members, one e-mail address or service token each, are data: updates preserve them, and nothing stores or shows them. */
export const memberGroup = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:MemberGroup",
  inputs,
  replaceOn: ["accountId"],
  removes: "The group with its members, from every policy that includes it.",
  identity: ({ accountId, name }) => `${accountId}/${name}`,

  async create(clients, wanted) {
    const { accountId, name } = wanted;
    const { groups } = clients.cloudflare().zeroTrust.access;
    const find = async () => {
      const present: { id: string; rules: GroupRules }[] = [];
      for await (const group of groups.list({ account_id: accountId, name })) {
        if (group.name !== name || group.id === undefined) continue;
        // The list may still have a deleted group.
        const rules = await undefinedIfNotFound(groups.get(group.id, { account_id: accountId }));
        if (rules !== undefined) present.push({ id: group.id, rules });
      }
      const [found, ...others] = present;
      if (others.length > 0) {
        throw new UserError(errorText(providerErrors.access_group_ambiguous, { count: present.length, name }));
      }
      // Groups have no tags. Those of the platform that it includes have unique ids.
      if (found !== undefined && !includedGroups(found.rules).some((id) => wanted.groups.includes(id))) {
        throw new UserError(errorText(providerErrors.access_group_foreign, { name }));
      }
      return found;
    };
    const adopted = await find();
    const group =
      adopted ?? (await createOnce<{ id?: string }>(() => groups.create(groupUpdateBody(wanted, {}), NO_RETRY), find));
    if (adopted !== undefined) await groups.update(adopted.id, groupUpdateBody(wanted, adopted.rules));
    if (group.id === undefined) throw new UserError(errorText(providerErrors.access_group_without_id, { name }));
    return { id: `${accountId}/${group.id}`, outputs: { groupId: group.id } };
  },

  async read(clients, id) {
    const { accountId, groupId } = parseId(id);
    const { groups } = clients.cloudflare().zeroTrust.access;
    const live = await undefinedIfNotFound(groups.get(groupId, { account_id: accountId }));
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
    await groups.update(groupId, groupUpdateBody(wanted, live));
    return old.outputs;
  },

  async delete(clients, id) {
    const { accountId, groupId } = parseId(id);
    const client = clients.cloudflare();
    const remove = () => undefinedIfNotFound(client.zeroTrust.access.groups.delete(groupId, { account_id: accountId }));
    try {
      await remove();
    } catch (error) {
      if (!(error instanceof APIError) || (await removeUnusedPolicies(client, accountId, groupId)) === 0) throw error;
      await remove();
    }
  },
});
