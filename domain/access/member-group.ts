/** Access groups whose members come from the database. */

/**
 * Name of the Access group with the members of a tenant's or the dashboard's host. The host makes it unique in the account: a group of that
 * name is adopted with its members.
 */
export const memberGroupName = (hostname: string): string => `Members of ${hostname}`;

/** Name of the Access group with a platform's root users. @param hostname of the dashboard */
export const rootGroupName = (hostname: string): string => `Root users of ${hostname}`;

/** Ends of the names of the policies that admit a group's users, and its service tokens. */
export const MEMBERS_POLICY = "members";
export const SERVICES_POLICY = "service tokens";

/** Returns the address of a rule that consists of one e-mail address; `undefined` for any other rule. */
export const memberAddress = (rule: object): string | undefined => onlyField(rule, "email", "email");

/** Returns the id of a rule that consists of one service token; `undefined` for any other rule. */
export const memberToken = (rule: object): string | undefined => onlyField(rule, "service_token", "token_id");

function onlyField(rule: object, kind: string, field: string): string | undefined {
  const [[found, value] = [], ...others] = Object.entries(rule);
  if (found !== kind || others.length > 0 || typeof value !== "object" || value === null) return undefined;
  const text: unknown = value[field];
  return typeof text === "string" ? text : undefined;
}
