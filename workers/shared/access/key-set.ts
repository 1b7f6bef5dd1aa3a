/** Caches the public keys that sign an issuer's tokens, and fetches them again for an unknown key id. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { RateLimits } from "../rate-limits.ts";
import { FlightTimeout, type KeepAlive, SingleFlight } from "../single-flight.ts";

const FETCH_TIMEOUT_MS = 5_000;
const REFRESH_MS = 10 * 60_000;
/** Maximum age of the keys while fetching fails. */
const STALE_LIMIT_MS = 60 * 60_000;
/** Delay after a failed fetch, while cached keys can serve. */
const BACK_OFF_MS = 5_000;

/** Limits fetches caused by unknown key ids. */
const UNKNOWN_KEY_LIMIT = { burst: 5, perSecond: 1 };

const keySetBody = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().exactOptional() })).min(1),
});

export class KeysUnavailable extends Error {
  override name = "KeysUnavailable";
}

export class KeySet {
  readonly #url: string;
  readonly #now: () => number;
  readonly #flights = new SingleFlight<Keys>(FETCH_TIMEOUT_MS);
  readonly #unknownKeyLimit = new RateLimits(UNKNOWN_KEY_LIMIT);
  #keys: Keys | undefined;
  #backOffUntil = 0;

  /** @param url of the JSON Web Key Set */
  constructor(url: string, now: () => number = Date.now) {
    this.#url = url;
    this.#now = now;
  }

  /** Returns the keys, and newer ones if none has this id. @throws KeysUnavailable */
  async including(id: string, keepAlive: KeepAlive): Promise<JSONWebKeySet> {
    const { set } = await this.#current(keepAlive);
    if (set.keys.some(({ kid }) => kid === id)) return set;
    return (await this.#newerThan(set, keepAlive))?.set ?? set;
  }

  /** Calls `use` with the keys, and again with newer ones if none matches. @throws KeysUnavailable, or the error of `use` */
  async with<T>(keepAlive: KeepAlive, use: (keys: JWTVerifyGetKey) => Promise<T>): Promise<T> {
    const keys = await this.#current(keepAlive);
    try {
      return await use(keys.find);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#newerThan(keys.set, keepAlive);
      if (!newer) throw error;
      return use(newer.find);
    }
  }

  async #newerThan(set: JSONWebKeySet, keepAlive: KeepAlive): Promise<Keys | undefined> {
    if (this.#keys && this.#keys.set !== set) return this.#keys;
    if (!this.#flights.isRunning(this.#url) && this.#unknownKeyLimit.take(this.#url, this.#now()) > 0) return undefined;
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

  async #fetch(keepAlive: KeepAlive): Promise<Keys> {
    try {
      return await this.#flights.run(this.#url, keepAlive, () => this.#fetchNow());
    } catch (error) {
      throw error instanceof FlightTimeout ? new KeysUnavailable(error.message) : error;
    }
  }

  async #fetchNow(): Promise<Keys> {
    try {
      const response = await fetch(this.#url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const set = keySetBody.parse(await response.json());
      this.#keys = { set, find: createLocalJWKSet(set), fetchedAt: this.#now() };
      return this.#keys;
    } catch (error) {
      throw new KeysUnavailable(`Failed to fetch the keys at ${this.#url}`, { cause: error });
    }
  }
}

interface Keys {
  set: JSONWebKeySet;
  find: JWTVerifyGetKey;
  fetchedAt: number;
}
