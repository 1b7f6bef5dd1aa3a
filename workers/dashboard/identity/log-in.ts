/** Reads who is logged in from the Access token of the dashboard's own application. */
import { KeysUnavailable } from "#workers/shared/access/key-set.ts";
import { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { accessTokens } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";
import { Failure, NotAdmitted } from "../http/failure.tsx";

export class LogIn {
  readonly #verifier: TokenVerifier;
  readonly #audience: string;

  constructor({ ACCESS_ISSUER, ACCESS_AUD }: Settings) {
    this.#verifier = new TokenVerifier(ACCESS_ISSUER);
    this.#audience = ACCESS_AUD;
  }

  /**
   * The e-mail of whoever sends the request.
   *
   * @throws Failure `authentication_required` without a log-in or with one that is over, `access_denied` with one for elsewhere
   */
  async email(headers: Headers, keepAlive: KeepAlive): Promise<string> {
    const tokens = accessTokens(headers);
    if (tokens.length === 0) throw new Failure("authentication_required", "Log in to use the dashboard.");
    let expired = false;
    let elsewhere: string | undefined;
    for (const token of tokens) {
      const identity = await this.#verifier.verify(token, keepAlive).catch((error: unknown) => {
        if (!(error instanceof KeysUnavailable)) throw error;
        throw new Failure("tenant_unavailable", "Log-ins cannot be checked just now; try again in a moment.");
      });
      if (identity === "expired") expired = true;
      else if (identity === "invalid") continue;
      else if (identity.audiences.includes(this.#audience)) return identity.email;
      else elsewhere = identity.email;
    }
    if (expired) throw new Failure("authentication_required", "Your session is over; log in again.");
    const message = "Your log-in is not for the dashboard; log in at its own address.";
    throw elsewhere === undefined ? new Failure("access_denied", message) : new NotAdmitted(elsewhere, message);
  }
}
