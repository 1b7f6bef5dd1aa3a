/**
 * Whether policies let an e-mail in (source: Cloudflare, "Access policies"): bypass before all, then deny and allow in
 * their order, the first that matches. Nobody is let in when none does.
 */
import type { AccessApplicationRecord, AccessPolicyRecord, AccessRule } from "../cloudflare/kinds/access/records.ts";
import type { AccessAccount } from "./account.ts";

interface Rules {
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
}

/** Told of a kind of rule or decision that is not evaluated here. */
export type Unsupported = (what: string) => void;

/** Whether everyone passes without identity. Identity rules never match here, as at the vendor. */
export function isBypassed(
  account: AccessAccount,
  application: AccessApplicationRecord,
  unsupported: Unsupported,
): boolean {
  return account
    .policies(application)
    .some((policy) => policy.decision === "bypass" && matches(account, policy, undefined, unsupported));
}

/** The allow policy that lets `email` (in lower case) in; `undefined` when it is refused. */
export function admittingPolicy(
  account: AccessAccount,
  application: AccessApplicationRecord,
  email: string,
  unsupported: Unsupported,
): AccessPolicyRecord | undefined {
  for (const policy of account.policies(application)) {
    // Service tokens are not issued here, so no request ever satisfies such a policy.
    if (policy.decision === "non_identity") unsupported("decision non_identity");
    if (policy.decision !== "allow" && policy.decision !== "deny") continue;
    if (matches(account, policy, email, unsupported)) return policy.decision === "allow" ? policy : undefined;
  }
  return undefined;
}

function matches(
  account: AccessAccount,
  rules: Rules,
  email: string | undefined,
  unsupported: Unsupported,
  within: readonly string[] = [],
): boolean {
  const test = (rule: AccessRule, unknown: boolean) => matchesRule(account, rule, email, unsupported, within, unknown);
  return (
    rules.include.some((rule) => test(rule, false)) &&
    !rules.exclude.some((rule) => test(rule, true)) &&
    rules.require.every((rule) => test(rule, false))
  );
}

/** @param unknown the answer for a rule of a kind that is not evaluated here: the one that lets nobody in */
function matchesRule(
  account: AccessAccount,
  rule: AccessRule,
  email: string | undefined,
  unsupported: Unsupported,
  within: readonly string[],
  unknown: boolean,
): boolean {
  const [[kind, value] = ["", {}]] = Object.entries(rule);
  const field = (name: string) => String(value[name] ?? "");
  switch (kind) {
    case "everyone":
      return true;
    case "email":
      return email !== undefined && field("email").toLowerCase() === email;
    case "email_domain":
      return (
        email !== undefined &&
        field("domain").toLowerCase().replace(/^@/, "") === email.slice(email.lastIndexOf("@") + 1)
      );
    case "email_list":
      return account.find("list", field("id"))?.items.some((item) => item.value.toLowerCase() === email) ?? false;
    case "group": {
      const group = account.find("access_group", field("id"));
      if (group === undefined || within.includes(group.id)) return false;
      return matches(account, group, email, unsupported, [...within, group.id]);
    }
    default:
      unsupported(`rule ${kind}`);
      return unknown;
  }
}
