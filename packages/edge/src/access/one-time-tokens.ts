/** Tokens that carry a log-in from the log-in host to an application's host: one use, one host, one browser, one minute. */
import { createHash, randomBytes } from "node:crypto";

const LIFETIME_MS = 60_000;
const MAX_PENDING = 1_000;

export interface LogIn {
  email: string;
  /** Host the token may be used on, without port. */
  host: string;
  /** Value of the cookie of the browser that asked to log in. */
  browser: string;
  /** Path and query to go on to. */
  next: string;
}

export class OneTimeTokens {
  readonly #pending = new Map<string, LogIn & { expires: number }>();

  issue(logIn: LogIn): string {
    const [oldest] = this.#pending.keys();
    if (this.#pending.size >= MAX_PENDING && oldest !== undefined) this.#pending.delete(oldest);
    const token = randomBytes(32).toString("base64url");
    this.#pending.set(digest(token), { ...logIn, expires: Date.now() + LIFETIME_MS });
    return token;
  }

  /**
   * What the token was issued for. A token is spent by the attempt, whatever its outcome.
   *
   * @param browsers values of the cookie that the browser sent; a neighbour's host can plant a second one
   */
  redeem(token: string, host: string, browsers: readonly string[]): LogIn | undefined {
    const key = digest(token);
    const logIn = this.#pending.get(key);
    this.#pending.delete(key);
    if (logIn === undefined || logIn.expires < Date.now() || logIn.host !== host) return undefined;
    return browsers.includes(logIn.browser) ? logIn : undefined;
  }
}

/** Looked up by digest, so that the time of a look-up tells nothing of a token. */
function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
