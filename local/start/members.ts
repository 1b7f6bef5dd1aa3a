import type Cloudflare from "cloudflare";

/** Adds e-mail addresses to a tenant's Access group as the dashboard does. @throws Error when the group does not exist */
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
  throw new Error(`Failed to add members: the Access group ${JSON.stringify(name)} does not exist.`);
}
