/** Who calls the health interface, which asks nobody to log in: those who are known do not share their budget with strangers. */

import { within } from "@tenantry/std/within";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import type { HealthCaller } from "./health-limit.ts";

/** How long a call waits for its caller to be known, in milliseconds; then it is a stranger's. */
const PATIENCE_MS = 500;

/**
 * Identifies the caller. It never fails: who cannot be identified, for whatever reason, is a stranger.
 *
 * @param o.tokens the platform's own tokens
 * @param o.user the e-mail of a user who is logged in and has a role at the tenant
 * @param o.network counts as the name of a stranger
 */
export async function healthCaller(
  headers: Headers,
  o: { tokens: readonly (string | undefined)[]; user: () => Promise<string | undefined>; network: string },
): Promise<HealthCaller> {
  if (headers.has("authorization") && (await hasBearerToken(headers, ...o.tokens)))
    return { caller: "platform", name: "" };
  const email = await within(PATIENCE_MS, o.user()).catch(() => undefined);
  return email === undefined ? { caller: "anonymous", name: o.network } : { caller: "user", name: email };
}
