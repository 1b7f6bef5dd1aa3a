/**
 * Evaluates Access policies: bypass and, for service tokens, Service Auth first, then the first matching deny or allow. No match refuses.
 * (developers.cloudflare.com/cloudflare-one/access-controls/policies: "Order of execution")
 */
import type { AccessApplicationRecord, AccessPolicyRecord, AccessRule } from "../cloudflare/kinds/access/records.ts";
import type { AccessAccount } from "./account.ts";

/** Who sends a request: a user by e-mail address in lower case, a service token by its id, or nobody known. */
export interface Caller {
  email?: string;
  serviceToken?: string;
}

type Rules = Pick<AccessPolicyRecord, "include" | "exclude" | "require">;

/** @param unsupported reports a kind of rule or decision that is not evaluated */
export function policyEvaluator(account: AccessAccount, unsupported: (what: string) => void) {
  const matches = (rules: Rules, caller: Caller, within: readonly string[] = []): boolean =>
    rules.include.some((rule) => matchesRule(rule, caller, within, false)) &&
    !rules.exclude.some((rule) => matchesRule(rule, caller, within, true)) &&
    rules.require.every((rule) => matchesRule(rule, caller, within, false));

  /** @param unknown result for an unsupported rule: the one that admits nobody */
  function matchesRule(rule: AccessRule, caller: Caller, within: readonly string[], unknown: boolean): boolean {
    const { email, serviceToken } = caller;
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
      case "service_token":
        return serviceToken !== undefined && field("token_id") === serviceToken;
      case "any_valid_service_token":
        return serviceToken !== undefined;
      case "group": {
        const group = account.find("access_group", field("id"));
        if (group === undefined || within.includes(group.id)) return false;
        return matches(group, caller, [...within, group.id]);
      }
      default:
        unsupported(`rule ${kind}`);
        return unknown;
    }
  }

  return {
    /** Whether everyone passes without identity. As at Cloudflare, identity rules never match here. */
    isBypassed: (application: AccessApplicationRecord): boolean =>
      account.policies(application).some((policy) => policy.decision === "bypass" && matches(policy, {})),
    /** Returns the Service Auth policy that admits a service token; undefined when it is refused. */
    serviceAuthPolicy: (application: AccessApplicationRecord, serviceToken: string): AccessPolicyRecord | undefined =>
      account
        .policies(application)
        .find((policy) => policy.decision === "non_identity" && matches(policy, { serviceToken })),
    /** Returns the policy that admits `email` (in lower case); undefined when it is refused. */
    admittingPolicy(application: AccessApplicationRecord, email: string): AccessPolicyRecord | undefined {
      for (const policy of account.policies(application)) {
        if (policy.decision !== "allow" && policy.decision !== "deny") continue;
        if (matches(policy, { email })) return policy.decision === "allow" ? policy : undefined;
      }
      return undefined;
    },
  };
}
