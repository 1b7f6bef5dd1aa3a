/** The account's Access groups, as far as they hold members. */
import type Cloudflare from "cloudflare";
import { APIConnectionError, APIError } from "cloudflare/error";
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import { memberAddress } from "#domain/access/member-group.ts";
import { withoutAddresses } from "../log.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";

/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 20_000;

type AccessSettings = Pick<Settings, "CLOUDFLARE_API_URL" | "CLOUDFLARE_API_TOKEN" | "CLOUDFLARE_ACCOUNT_ID">;

export interface MemberChange {
  added: number;
  removed: number;
}

export class AccessGroups {
  readonly #settings: AccessSettings;
  #cloudflare: Promise<Cloudflare> | undefined;

  constructor(settings: AccessSettings) {
    this.#settings = settings;
  }

  /**
   * Makes just these addresses the group's members. Its other rules are not touched, and nothing is written where nothing differs.
   *
   * @param emails in lower case
   * @returns `undefined` when there is no group of that name
   * @throws TaskError when the API refuses or cannot be reached
   */
  async setMembers(name: string, emails: readonly string[], signal: AbortSignal): Promise<MemberChange | undefined> {
    try {
      return await this.#setMembers(name, emails, signal);
    } catch (error) {
      throw new TaskError(`The members of the Access group '${name}' were not set: ${wording(error)}`);
    }
  }

  async #setMembers(name: string, emails: readonly string[], signal: AbortSignal): Promise<MemberChange | undefined> {
    const account_id = this.#settings.CLOUDFLARE_ACCOUNT_ID;
    this.#cloudflare ??= openClient(this.#settings);
    const { groups } = (await this.#cloudflare).zeroTrust.access;
    for await (const group of groups.list({ account_id, name }, { signal })) {
      if (group.id === undefined || group.name !== name) continue;
      const { include, change } = withMembers(group.include ?? [], emails);
      if (change.added + change.removed > 0) {
        // The vendor takes a group as a whole only, so what it holds was read right before.
        const { exclude = [], require = [] } = group;
        await groups.update(group.id, { account_id, name, include, exclude, require }, { signal });
      }
      return change;
    }
    return undefined;
  }
}

/** The SDK has more modules than the rest of the service, so it is loaded when it is first used. */
async function openClient({ CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_URL }: AccessSettings): Promise<Cloudflare> {
  const { default: Client } = await import("cloudflare");
  const credentials = { apiToken: CLOUDFLARE_API_TOKEN, apiKey: null, apiEmail: null };
  return new Client({ ...credentials, baseURL: CLOUDFLARE_API_URL, timeout: ANSWER_MS });
}

/** The rules with just these members: who is one stays where it is. */
function withMembers(
  rules: readonly AccessRule[],
  emails: readonly string[],
): { include: AccessRule[]; change: MemberChange } {
  const missing = new Set(emails);
  const include = rules.filter((rule) => {
    const address = memberAddress(rule);
    return address === undefined || missing.delete(address.toLowerCase());
  });
  const removed = rules.length - include.length;
  include.push(...[...missing].map((email) => ({ email: { email } })));
  return { include, change: { added: missing.size, removed } };
}

/** What the API said, without the request, whose body holds addresses. */
function wording(error: unknown): string {
  if (error instanceof APIConnectionError) return "the Cloudflare API cannot be reached.";
  if (!(error instanceof APIError)) return withoutAddresses(String(error));
  const said = error.errors.map(({ code, message }) => `${message} (code ${code})`).join("; ");
  return withoutAddresses(said || `HTTP ${error.status}`);
}
