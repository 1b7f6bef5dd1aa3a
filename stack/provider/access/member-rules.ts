/** Rules of an Access group whose members are data: which belong to members, and which to the stack. */
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import { memberAddress } from "#domain/access/member-group.ts";

export interface GroupRules {
  include?: AccessRule[] | null;
  exclude?: AccessRule[] | null;
  require?: AccessRule[] | null;
}

const kindOf = (rule: AccessRule): string => Object.keys(rule).join("+");

/** Returns the rules that name one member by e-mail address. They are data and must not be stored or shown. */
export function memberRules({ include }: GroupRules): AccessRule[] {
  return (include ?? []).filter((rule) => memberAddress(rule) !== undefined);
}

export function includedGroups({ include }: GroupRules): string[] {
  return (include ?? []).flatMap((rule) => ("group" in rule && kindOf(rule) === "group" ? [rule.group.id] : []));
}

/** Returns all other rules by place and kind, such as `include everyone`. Their values are omitted, because they can name people. */
export function unexpectedRules({ include, exclude, require }: GroupRules): string[] {
  const describe = (place: string, rules: AccessRule[] | null | undefined) =>
    (rules ?? []).map((rule) => `${place} ${kindOf(rule)}`);
  const known = ["include email", "include group"];
  const included = describe("include", include).filter((rule) => !known.includes(rule));
  return [...included, ...describe("exclude", exclude), ...describe("require", require)].toSorted();
}
