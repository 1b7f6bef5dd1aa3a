/** Identifies callers of the public health paths, whose rate limits are separate from anonymous ones. */
import { withTimeout } from "@tenantry/std/within";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import type { HealthCaller } from "./health-limit.ts";

const IDENTIFY_TIMEOUT_MS = 500;

/**
 * Does not reject: a caller who cannot be identified in time is anonymous.
 *
 * @param o.tokens the platform's own tokens
 * @param o.user resolves to the e-mail address of a user with a role at the tenant
 * @param o.network identifies anonymous callers
 */
export async function healthCaller(
  headers: Headers,
  o: { tokens: readonly (string | undefined)[]; user: () => Promise<string | undefined>; network: string },
): Promise<HealthCaller> {
  if (headers.has("authorization") && (await hasBearerToken(headers, ...o.tokens)))
    return { caller: "platform", name: "" };
  const email = await withTimeout(IDENTIFY_TIMEOUT_MS, o.user()).catch(() => undefined);
  return email === undefined ? { caller: "anonymous", name: o.network } : { caller: "user", name: email };
}
