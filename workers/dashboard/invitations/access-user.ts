import { KeysUnavailable } from "#workers/shared/access/key-set.ts";
import type { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { accessTokens } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";

/**
 * Returns the ID of an Access user with that address, from any login in the request; `undefined` without one. An invitation requires no login,
 * so that missing keys do not prevent a decision.
 */
export async function accessUserUuid(
  verifier: TokenVerifier,
  headers: Headers,
  email: string,
  keepAlive: KeepAlive,
): Promise<string | undefined> {
  for (const token of accessTokens(headers)) {
    try {
      const identity = await verifier.verify(token, keepAlive);
      if (typeof identity !== "string" && identity.email === email && identity.userUuid !== undefined) {
        return identity.userUuid;
      }
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      return undefined;
    }
  }
  return undefined;
}
