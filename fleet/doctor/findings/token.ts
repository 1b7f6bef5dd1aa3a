/** API tokens that no stack has, and tokens of stacks that are invalid or expire soon. */
import type { TokenState } from "../account/kinds/api-token.ts";
import { type Conclusion, type Evidence, type Finding, holderOf, twinOf } from "../evidence.ts";
import { findingOf, unowned } from "./unknown-resource.ts";

const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

export function badTokens(evidence: Evidence): Conclusion[] {
  const { account, tokens, own, platform, now } = evidence;
  const about = "api_token";
  const ownerless: Conclusion =
    "fault" in account.api_token
      ? { about, fault: account.api_token.fault }
      : {
          about,
          findings: unowned(account.api_token.found, evidence).map((token) =>
            findingOf(token, platform, twinOf(token, evidence)),
          ),
        };
  // The same fault as the first list's, which is reported once.
  if ("fault" in tokens) return [ownerless];
  const findings = tokens.found.flatMap((token): Finding[] => {
    const stack = holderOf(own, token);
    const why = tokenFault(token, now);
    const urn = stack?.resources.get(token.id)?.urn;
    if (stack === undefined || why === undefined || urn === undefined) return [];
    return [
      {
        what: "API token",
        name: token.name,
        identity: token.id,
        why: `${why}; the stack ${stack.stack} has it`,
        remedy: `run npx pulumi${stack.stack === platform.stack ? "" : " -C tenants"} up -s ${stack.stack} --replace '${urn}'`,
      },
    ];
  });
  return [ownerless, { about: "ailing_token", findings }];
}

function tokenFault({ status, expiresOn }: TokenState, now: Date): string | undefined {
  const left = expiresOn === null ? Number.POSITIVE_INFINITY : Date.parse(expiresOn) - now.getTime();
  if (status === "expired" || left <= 0) return expiresOn === null ? "it expired" : `it expired at ${expiresOn}`;
  if (status !== "active") return `it is ${status}`;
  return left < SOON_DAYS * DAY_MS ? `it expires at ${expiresOn}` : undefined;
}
