import { KeysUnavailable } from "#workers/shared/access/key-set.ts";
import type { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { accessTokens } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";

/**
 * How Access knows someone of that address, from any log-in of theirs that comes along; undefined without one. An invitation needs none,
 * so that keys that cannot be had keep nobody from answering.
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
