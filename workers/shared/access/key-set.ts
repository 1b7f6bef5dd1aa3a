/** The public keys that sign Access tokens: fetched once, kept, and fetched again when a token names a key not seen yet. */
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { RateLimit } from "../rate-limit.ts";
import { type KeepAlive, SingleFlight } from "../single-flight.ts";

const FETCH_TIMEOUT_MS = 5_000;
/** Age at which the keys are fetched again. */
const REFRESH_MS = 10 * 60_000;
/** Age up to which they still serve while they cannot be fetched. */
const STALE_LIMIT_MS = 60 * 60_000;
/** How long a fetch is not tried again after one that failed, while there are keys that serve. */
const BACK_OFF_MS = 5_000;

/** Bounds what tokens with made-up key ids can cause, and how long they can hide a new key. */
const ROTATIONS = { burst: 5, perSecond: 1 };

const keySetBody = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().exactOptional() })).min(1),
});

/** The keys cannot be had, so that no token can be judged. */
export class KeysUnavailable extends Error {
  override name = "KeysUnavailable";
}

export class KeySet {
  readonly #url: string;
  readonly #now: () => number;
  readonly #flights = new SingleFlight<Keys>(FETCH_TIMEOUT_MS);
  readonly #rotations: RateLimit;
  #keys: Keys | undefined;
  #backOffUntil = 0;

  /** @param issuer base address of the Access team; its keys lie at `/cdn-cgi/access/certs` */
  constructor(issuer: string, now: () => number = Date.now) {
    this.#url = `${issuer}/cdn-cgi/access/certs`;
    this.#now = now;
    this.#rotations = new RateLimit(ROTATIONS.burst, ROTATIONS.perSecond, now());
  }

  /**
   * Calls `use` with the keys, and once more with newer ones when it finds no key that matches.
   *
   * @throws KeysUnavailable when there are no keys to judge by; else what `use` throws
   */
  async with<T>(keepAlive: KeepAlive, use: (keys: JWTVerifyGetKey) => Promise<T>): Promise<T> {
    const keys = await this.#current(keepAlive);
    try {
      return await use(keys.find);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#newerThan(keys, keepAlive);
      if (!newer) throw error;
      return use(newer.find);
    }
  }

  /** @returns undefined when too many asked lately */
  async #newerThan(keys: Keys, keepAlive: KeepAlive): Promise<Keys | undefined> {
    if (this.#keys && this.#keys !== keys) return this.#keys;
    const joins = this.#flights.isRunning(this.#url);
    if (!joins && this.#rotations.take(this.#now()) > 0) return undefined;
    return this.#fetch(keepAlive);
  }

  async #current(keepAlive: KeepAlive): Promise<Keys> {
    const keys = this.#keys;
    const age = keys ? this.#now() - keys.fetchedAt : Number.POSITIVE_INFINITY;
    if (keys && age < REFRESH_MS) return keys;
    const last = age < STALE_LIMIT_MS ? keys : undefined;
    if (last && this.#now() < this.#backOffUntil) return last;
    try {
      return await this.#fetch(keepAlive);
    } catch (error) {
      this.#backOffUntil = this.#now() + BACK_OFF_MS;
      if (last) return last;
      throw error;
    }
  }

  #fetch(keepAlive: KeepAlive): Promise<Keys> {
    return this.#flights.run(this.#url, keepAlive, async () => {
      try {
        const response = await fetch(this.#url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
        if (!response.ok) throw new Error(`status ${response.status}`);
        const { keys } = keySetBody.parse(await response.json());
        this.#keys = { find: createLocalJWKSet({ keys }), fetchedAt: this.#now() };
        return this.#keys;
      } catch (error) {
        throw new KeysUnavailable("The keys of the Access team cannot be fetched", { cause: error });
      }
    });
  }
}

interface Keys {
  find: JWTVerifyGetKey;
  fetchedAt: number;
}
