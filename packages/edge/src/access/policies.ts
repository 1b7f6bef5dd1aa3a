/** Evaluates Access policies: bypass first, then the first matching deny or allow. No match refuses. (Cloudflare: "Access policies") */
import type { AccessApplicationRecord, AccessPolicyRecord, AccessRule } from "../cloudflare/kinds/access/records.ts";
import type { AccessAccount } from "./account.ts";

type Rules = Pick<AccessPolicyRecord, "include" | "exclude" | "require">;

/** @param unsupported reports a kind of rule or decision that is not evaluated */
export function policyEvaluator(account: AccessAccount, unsupported: (what: string) => void) {
  const matches = (rules: Rules, email: string | undefined, within: readonly string[] = []): boolean =>
    rules.include.some((rule) => matchesRule(rule, email, within, false)) &&
    !rules.exclude.some((rule) => matchesRule(rule, email, within, true)) &&
    rules.require.every((rule) => matchesRule(rule, email, within, false));

  /** @param unknown result for an unsupported rule: the one that admits nobody */
  function matchesRule(
    rule: AccessRule,
    email: string | undefined,
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
      case "email_domain": {
        const domain = field("domain").toLowerCase().replace(/^@/, "");
        return email !== undefined && domain === email.slice(email.lastIndexOf("@") + 1);
      }
      case "email_list":
        return account.find("list", field("id"))?.items.some((item) => item.value.toLowerCase() === email) ?? false;
      case "group": {
        const group = account.find("access_group", field("id"));
        if (group === undefined || within.includes(group.id)) return false;
        return matches(group, email, [...within, group.id]);
      }
      default:
        unsupported(`rule ${kind}`);
        return unknown;
    }
  }

  return {
    /** Whether everyone passes without identity. As at Cloudflare, identity rules never match here. */
    isBypassed: (application: AccessApplicationRecord): boolean =>
      account.policies(application).some((policy) => policy.decision === "bypass" && matches(policy, undefined)),
    /** Returns the policy that admits `email` (in lower case); undefined when it is refused. */
    admittingPolicy(application: AccessApplicationRecord, email: string): AccessPolicyRecord | undefined {
      for (const policy of account.policies(application)) {
        // No service tokens are issued, so no request satisfies such a policy.
        if (policy.decision === "non_identity") unsupported("decision non_identity");
        if (policy.decision !== "allow" && policy.decision !== "deny") continue;
        if (matches(policy, email)) return policy.decision === "allow" ? policy : undefined;
      }
      return undefined;
    },
  };
}
