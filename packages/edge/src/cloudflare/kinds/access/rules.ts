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

/** Rules that name a record, by their key. */
const REFERENCES = {
  group: { kind: "access_group", field: "id", name: "group" },
  email_list: { kind: "list", field: "id", name: "list" },
  service_token: { kind: "access_service_token", field: "token_id", name: "service token" },
} as const;
type Reference = keyof typeof REFERENCES;

const referenced = (rule: AccessRule, key: Reference): string | undefined =>
  rule[key] && String(rule[key][REFERENCES[key].field]);

/** @throws ApiError 400 for a rule with an unknown group, email list or service token */
export function checkRules(store: Store, rules: AccessRule[]): void {
  for (const rule of rules) {
    for (const key of Object.keys(REFERENCES) as Reference[]) {
      const id = referenced(rule, key);
      const { kind, name } = REFERENCES[key];
      if (id === undefined || store.get(kind, id) !== undefined) continue;
      throw new ApiError(400, invalidAccessRequest, `access.api.error.invalid_request: unknown ${name} ${id}`);
    }
  }
}

/** Returns the names of groups and policies whose rules have a group, an email list or a service token. */
export function usersOf(store: Store, key: Reference, id: string): string[] {
  return [...store.list("access_policy"), ...store.list("access_group")]
    .filter((one) => rulesOf(one).some((rule) => referenced(rule, key) === id))
    .map(({ name }) => name);
}
