/** Tokens that carry a login from the team host to an application's host, for one use by one browser within a minute. */
import { createHash, randomBytes } from "node:crypto";

const LIFETIME_MS = 60_000;
const MAX_PENDING = 1_000;

export interface Login {
  email: string;
  /** Without port. */
  host: string;
  /** Cookie value of the browser that requested the login. */
  browser: string;
  /** Path and query to continue with. */
  next: string;
}

export class OneTimeTokens {
  readonly #pending = new Map<string, Login & { expires: number }>();

  issue(login: Login): string {
    const [oldest] = this.#pending.keys();
    if (this.#pending.size >= MAX_PENDING && oldest !== undefined) this.#pending.delete(oldest);
    const token = randomBytes(32).toString("base64url");
    this.#pending.set(digestToken(token), { ...login, expires: Date.now() + LIFETIME_MS });
    return token;
  }

  /** Returns the login, and invalidates the token in any case. @param browsers all values of the cookie: a sibling host can set one */
  redeem(token: string, host: string, browsers: readonly string[]): Login | undefined {
    const key = digestToken(token);
    const login = this.#pending.get(key);
    this.#pending.delete(key);
    if (login === undefined || login.expires < Date.now() || login.host !== host) return undefined;
    return browsers.includes(login.browser) ? login : undefined;
  }
}

/** Tokens are found by digest, so that lookup time reveals nothing. */
function digestToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
