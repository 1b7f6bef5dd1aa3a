/**
 * Evaluates Access policies (Cloudflare: "Access policies"): bypass first, then deny and allow in their order. The first match
 * decides; no match refuses.
 */
import type { AccessApplicationRecord, AccessPolicyRecord, AccessRule } from "../cloudflare/kinds/access/records.ts";
import type { AccessAccount } from "./account.ts";

interface Rules {
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
}

/** Reports a kind of rule or decision that is not evaluated. */
export type Unsupported = (what: string) => void;

/** Whether everyone passes without identity. As at Cloudflare, identity rules never match here. */
export function isBypassed(
  account: AccessAccount,
  application: AccessApplicationRecord,
  unsupported: Unsupported,
): boolean {
  return account
    .policies(application)
    .some((policy) => policy.decision === "bypass" && matches(account, policy, undefined, unsupported));
}

/** Returns the policy that admits `email` (in lower case); undefined when it is refused. */
export function admittingPolicy(
  account: AccessAccount,
  application: AccessApplicationRecord,
  email: string,
  unsupported: Unsupported,
): AccessPolicyRecord | undefined {
  for (const policy of account.policies(application)) {
    // No service tokens are issued, so no request satisfies such a policy.
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

/** @param unknown result for an unsupported rule: the one that admits nobody */
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
