import * as z from "zod";
import type { Store } from "#account/store.ts";
import { ApiError, splitWords } from "../../api/operations.ts";
import type { AccessRule } from "./records.ts";

/** Cloudflare's code for an invalid Access request. */
export const invalidAccessRequest = 12130;

const kinds = new Set(
  splitWords(`
    any_valid_service_token auth_context auth_method azureAD certificate common_name device_posture
    email email_domain email_list everyone external_evaluation geo github-organization group gsuite ip
    ip_list linked_app_token login_method okta saml service_token
  `),
);

export const accessRules = z.array(
  z.record(z.string(), z.record(z.string(), z.unknown())).refine((rule) => {
    const names = Object.keys(rule);
    return names.length === 1 && kinds.has(names[0] ?? "");
  }, "must have one key, a known kind of rule"),
);

interface Ruled {
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
}

/** Returns all rules of a group or policy. */
export function rulesOf(ruled: Ruled | undefined): AccessRule[] {
  return ruled === undefined ? [] : [...ruled.include, ...ruled.exclude, ...ruled.require];
}

/** @throws ApiError 400 for a rule with an unknown group or email list */
export function checkRules(store: Store, rules: AccessRule[]): void {
  for (const rule of rules) {
    const group = rule.group?.id;
    if (rule.group !== undefined && store.get("access_group", String(group)) === undefined) {
      throw new ApiError(400, invalidAccessRequest, `access.api.error.invalid_request: unknown group ${String(group)}`);
    }
    const list = rule.email_list?.id;
    if (rule.email_list !== undefined && store.get("list", String(list)) === undefined) {
      throw new ApiError(400, invalidAccessRequest, `access.api.error.invalid_request: unknown list ${String(list)}`);
    }
  }
}

/** Returns the names of groups and policies whose rules have a group or an email list. */
export function usersOf(store: Store, kind: "group" | "email_list", id: string): string[] {
  return [...store.list("access_policy"), ...store.list("access_group")]
    .filter((one) => rulesOf(one).some((rule) => rule[kind] !== undefined && String(rule[kind].id) === id))
    .map(({ name }) => name);
}
