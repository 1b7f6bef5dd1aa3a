/** Access groups whose members are data: their names, and which of their rules name a member. */

/**
 * Name of the Access group that holds the members of a host, a tenant's or the dashboard's. It has the host in it, which is one tenant's or
 * one platform's alone in an account, since a group of that name is adopted with its members.
 */
export const memberGroupName = (hostname: string): string => `Members of ${hostname}`;

/**
 * Name of the Access group that holds a platform's root users.
 *
 * @param hostname the dashboard's
 */
export const rootGroupName = (hostname: string): string => `Root users of ${hostname}`;

/** The address in a rule that names one member by e-mail and says nothing else; `undefined` for any other rule. */
export function memberAddress(rule: object): string | undefined {
  const [[kind, value] = [], ...others] = Object.entries(rule);
  if (kind !== "email" || others.length > 0 || typeof value !== "object" || value === null) return undefined;
  return "email" in value && typeof value.email === "string" ? value.email : undefined;
}
