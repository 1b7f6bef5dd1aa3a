/** API tokens that no stack has, and those of stacks that do not work, or soon will not. */
import type { TokenState } from "../account/kinds/api-token.ts";
import { type Conclusion, type Evidence, type Finding, holderOf } from "../evidence.ts";
import { findingOf, unowned } from "./unknown-resource.ts";

/** Days before its end at which a token is told of. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

export function badTokens(evidence: Evidence): Conclusion[] {
  const { account, tokens, own, platform, now } = evidence;
  const lost: Conclusion =
    "fault" in account.api_token
      ? { about: "api_token", fault: account.api_token.fault }
      : {
          about: "api_token",
          findings: unowned(account.api_token.found, evidence).map((thing) => findingOf(thing, platform)),
        };
  // Said once.
  if ("fault" in tokens) return [lost];
  const findings = tokens.found.flatMap((token): Finding[] => {
    const stack = holderOf(own, token);
    const why = ailmentOf(token, now);
    const urn = stack?.resources.get(token.id)?.urn;
    if (stack === undefined || why === undefined || urn === undefined) return [];
    return [
      {
        what: "API token",
        name: token.name,
        identity: token.id,
        tenant: null,
        createdAt: null,
        why: `${why}; the stack ${stack.stack} has it`,
        remedy: `npx pulumi${stack.stack === platform.stack ? "" : " -C tenants"} up -s ${stack.stack} --replace '${urn}'`,
      },
    ];
  });
  return [lost, { about: "ailing_token", findings }];
}

function ailmentOf({ status, expiresOn }: TokenState, now: Date): string | undefined {
  const left = expiresOn === null ? Number.POSITIVE_INFINITY : Date.parse(expiresOn) - now.getTime();
  if (status === "expired" || left <= 0) return `it has expired${expiresOn === null ? "" : ` at ${expiresOn}`}`;
  if (status !== "active") return `it is ${status}`;
  return left < SOON_DAYS * DAY_MS ? `it expires at ${expiresOn}` : undefined;
}
