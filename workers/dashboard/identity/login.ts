/** Reads the logged-in user from the Access token of the dashboard's application. */
import { serviceErrors } from "#domain/errors/api/service.ts";
import { stateError } from "#domain/errors/stated.ts";
import { KeysUnavailable } from "#workers/shared/access/key-set.ts";
import { TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { accessTokens } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";
import { failure, NotAdmitted } from "../http/failure.tsx";

export class Login {
  readonly #verifier: TokenVerifier;
  readonly #audience: string;

  constructor({ ACCESS_ISSUER, ACCESS_AUD }: Settings) {
    this.#verifier = new TokenVerifier(ACCESS_ISSUER);
    this.#audience = ACCESS_AUD;
  }

  /**
   * Returns the e-mail address of the user.
   *
   * @throws Failure `authentication_required` without a login or after it expired, `access_denied` for a login of another application
   */
  async email(headers: Headers, keepAlive: KeepAlive): Promise<string> {
    const tokens = accessTokens(headers);
    if (tokens.length === 0) throw failure(serviceErrors.dashboard_login_missing);
    let expired = false;
    let otherUser: string | undefined;
    for (const token of tokens) {
      const identity = await this.#verifier.verify(token, keepAlive).catch((error: unknown) => {
        if (!(error instanceof KeysUnavailable)) throw error;
        throw failure(serviceErrors.logins_not_verifiable);
      });
      if (identity === "expired") expired = true;
      else if (identity === "invalid") continue;
      else if (identity.audiences.includes(this.#audience)) return identity.email;
      else otherUser = identity.email;
    }
    if (expired) throw failure(serviceErrors.dashboard_login_expired);
    const { login_for_other_application: denied } = serviceErrors;
    throw otherUser === undefined ? failure(denied) : new NotAdmitted(otherUser, stateError(denied));
  }
}
