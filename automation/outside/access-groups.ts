import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import { memberAddress, memberToken } from "#domain/access/member-group.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { withoutAddresses } from "../log.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { cloudflareFault, openCloudflare } from "./cloudflare.ts";

const ANSWER_MS = 20_000;

type AccessSettings = Pick<Settings, "CLOUDFLARE_API_URL" | "CLOUDFLARE_API_TOKEN" | "CLOUDFLARE_ACCOUNT_ID">;

export interface MemberChange {
  added: number;
  removed: number;
}

export interface GroupMembers {
  /** In lower case. */
  emails: readonly string[];
  /** Ids of service tokens. */
  tokens: readonly string[];
}

export class AccessGroups {
  readonly #settings: AccessSettings;
  #cloudflare: Promise<Cloudflare> | undefined;

  constructor(settings: AccessSettings) {
    this.#settings = settings;
  }

  /** Sets a group's members. @returns `undefined` if no group has that name @throws TaskError */
  async setMembers(name: string, members: GroupMembers, signal: AbortSignal): Promise<MemberChange | undefined> {
    try {
      return await this.#setMembers(name, members, signal);
    } catch (error) {
      // The request, whose body has addresses, is not part of the message.
      const why = withoutAddresses(cloudflareFault(error));
      throw new TaskError(outsideErrors.access_group_not_updated, { name, fault: asSentence(why) });
    }
  }

  async #setMembers(name: string, members: GroupMembers, signal: AbortSignal): Promise<MemberChange | undefined> {
    const { CLOUDFLARE_ACCOUNT_ID: account_id, CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_API_URL } = this.#settings;
    this.#cloudflare ??= openCloudflare({ apiToken, baseURL: CLOUDFLARE_API_URL, timeout: ANSWER_MS });
    const { groups, serviceTokens } = (await this.#cloudflare).zeroTrust.access;
    const exists = async (id: string) =>
      (await undefinedIfNotFound(serviceTokens.get(id, { account_id }, { signal }))) !== undefined;
    for await (const listed of groups.list({ account_id, name }, { signal })) {
      if (listed.id === undefined || listed.name !== name) continue;
      // A list may have an earlier state, whose members an update would restore.
      const group = await undefinedIfNotFound(groups.get(listed.id, { account_id }, { signal }));
      if (group === undefined) continue;
      const { include, change } = await withMembers(group.include ?? [], members, exists);
      if (change.added + change.removed > 0) {
        // The API replaces the whole group, so it was read right before.
        const { exclude = [], require = [] } = group;
        await groups.update(listed.id, { account_id, name, include, exclude, require }, { signal });
      }
      return change;
    }
    return undefined;
  }
}

/** @param exists whether a service token exists: the API refuses a rule with another */
async function withMembers(
  rules: readonly AccessRule[],
  { emails, tokens }: GroupMembers,
  exists: (token: string) => Promise<boolean>,
): Promise<{ include: AccessRule[]; change: MemberChange }> {
  const missing = new Set(emails);
  const missingTokens = new Set(tokens);
  const include = rules.filter((rule) => {
    const address = memberAddress(rule);
    if (address !== undefined) return missing.delete(address.toLowerCase());
    const token = memberToken(rule);
    return token === undefined || missingTokens.delete(token);
  });
  const removed = rules.length - include.length;
  const before = include.length;
  include.push(...[...missing].map((email) => ({ email: { email } })));
  for (const token_id of missingTokens) if (await exists(token_id)) include.push({ service_token: { token_id } });
  return { include, change: { added: include.length - before, removed } };
}
