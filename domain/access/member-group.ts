/** Access groups whose members come from the database. */

/**
 * Name of the Access group with the members of a tenant's or the dashboard's host. The host makes it unique in the account: a group of that
 * name is adopted with its members.
 */
export const memberGroupName = (hostname: string): string => `Members of ${hostname}`;

/** Name of the Access group with a platform's root users. @param hostname of the dashboard */
export const rootGroupName = (hostname: string): string => `Root users of ${hostname}`;

/** Returns the address of a rule that consists of one e-mail address; `undefined` for any other rule. */
export function memberAddress(rule: object): string | undefined {
  const [[kind, value] = [], ...others] = Object.entries(rule);
  if (kind !== "email" || others.length > 0 || typeof value !== "object" || value === null) return undefined;
  return "email" in value && typeof value.email === "string" ? value.email : undefined;
}
