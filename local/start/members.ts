/** Members of a tenant as whoever invites them adds them: rules of its Access group. */
import type Cloudflare from "cloudflare";

/**
 * Adds the addresses that the group does not have yet.
 *
 * @throws Error when there is no such group
 */
export async function addMembers(
  cloudflare: Cloudflare,
  account_id: string,
  name: string,
  emails: readonly string[],
): Promise<void> {
  const { groups } = cloudflare.zeroTrust.access;
  for await (const { id, include = [], exclude = [], require = [], ...group } of groups.list({ account_id, name })) {
    if (id === undefined || group.name !== name) continue;
    const present = new Set(include.flatMap((rule) => ("email" in rule ? [rule.email.email.toLowerCase()] : [])));
    const added = emails.filter((email) => !present.has(email)).map((email) => ({ email: { email } }));
    if (added.length > 0) {
      await groups.update(id, { account_id, name, include: [...include, ...added], exclude, require });
    }
    return;
  }
  throw new Error(`There is no Access group ${JSON.stringify(name)}.`);
}
