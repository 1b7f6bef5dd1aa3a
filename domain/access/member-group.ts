/** The Access group that holds a tenant's members: its name, and which of its rules name one. */

/**
 * Name of the Access group that holds a tenant's members. It has the host in it, which is one tenant's alone in an account, since a group of
 * that name is adopted with its members.
 */
export const memberGroupName = (hostname: string): string => `Members of ${hostname}`;

/** The address in a rule that names one member by e-mail and says nothing else; `undefined` for any other rule. */
export function memberAddress(rule: object): string | undefined {
  const [[kind, value] = [], ...others] = Object.entries(rule);
  if (kind !== "email" || others.length > 0 || typeof value !== "object" || value === null) return undefined;
  return "email" in value && typeof value.email === "string" ? value.email : undefined;
}
