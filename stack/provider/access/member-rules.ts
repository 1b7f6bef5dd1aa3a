/** The rules of an Access group whose members are data: which are theirs, and which the stack answers for. */
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import { memberAddress } from "#domain/access/member-group.ts";

/** An Access group, as far as it says who is in it. */
export interface GroupRules {
  include?: AccessRule[] | null;
  exclude?: AccessRule[] | null;
  require?: AccessRule[] | null;
}

const kindOf = (rule: AccessRule): string => Object.keys(rule).join("+");

/** The rules that name one member each by e-mail address: data, never to be kept or shown anywhere. */
export function memberRules({ include }: GroupRules): AccessRule[] {
  return (include ?? []).filter((rule) => memberAddress(rule) !== undefined);
}

/** Ids of the groups whose members are included too. */
export function includedGroups({ include }: GroupRules): string[] {
  return (include ?? []).flatMap((rule) => ("group" in rule && kindOf(rule) === "group" ? [rule.group.id] : []));
}

/** Every other rule, by its place and kind alone, such as `include everyone`: what it says may name people. */
export function unexpectedRules({ include, exclude, require }: GroupRules): string[] {
  const told = (place: string, rules: AccessRule[] | null | undefined) =>
    (rules ?? []).map((rule) => `${place} ${kindOf(rule)}`);
  const known = ["include email", "include group"];
  const included = told("include", include).filter((rule) => !known.includes(rule));
  return [...included, ...told("exclude", exclude), ...told("require", require)].toSorted();
}
