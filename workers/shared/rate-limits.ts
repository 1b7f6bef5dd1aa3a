/** Rate limits by key, of which the least lately used are forgotten. */
import { BoundedMap } from "@tenantry/std/bounded-map";
import { RateLimit } from "./rate-limit.ts";

const MAX_LIMITS = 5_000;

export class RateLimits {
  readonly #limits = new BoundedMap<string, RateLimit>(MAX_LIMITS);
  readonly #burst: number;
  readonly #perSecond: number;

  /** What each key is allowed: a burst, then so many a second. */
  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes one of `key`'s. @param now milliseconds since the epoch @returns 0 when it was there, else the seconds until there is one */
  take(key: string, now: number): number {
    let limit = this.#limits.get(key);
    if (!limit) {
      limit = new RateLimit(this.#burst, this.#perSecond, now);
      this.#limits.set(key, limit);
    }
    return limit.take(now);
  }

  /** Puts back one that was taken and not needed. */
  giveBack(key: string): void {
    this.#limits.get(key)?.giveBack();
  }
}
