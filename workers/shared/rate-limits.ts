/** Rate limits by key; the least recently used are evicted. */
import { BoundedMap } from "@tenantry/std/bounded-map";
import { RateLimit, type RateLimitOptions } from "./rate-limit.ts";

const MAX_LIMITS = 5_000;

export class RateLimits {
  readonly #limits = new BoundedMap<string, RateLimit>(MAX_LIMITS);
  readonly #options: RateLimitOptions;

  /** @param options for each key */
  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Takes one token. @param now milliseconds since the epoch @returns 0 on success, else the seconds until one is available */
  take(key: string, now: number): number {
    let limit = this.#limits.get(key);
    if (!limit) {
      limit = new RateLimit(this.#options, now);
      this.#limits.set(key, limit);
    }
    return limit.take(now);
  }

  /** Returns an unused token. */
  giveBack(key: string): void {
    this.#limits.get(key)?.giveBack();
  }
}
