import { BoundedMap } from "@tenantry/std/bounded-map";

const MAX_KEYS = 5_000;

/** A token bucket for each key. The least recently used ones are evicted. */
export class RateLimits {
  readonly #buckets = new BoundedMap<string, { left: number; at: number }>(MAX_KEYS);
  readonly #burst: number;
  readonly #perSecond: number;

  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes one token. @param now milliseconds since the epoch @returns 0 on success, else the seconds until one is available */
  take(key: string, now: number): number {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = { left: this.#burst, at: now };
      this.#buckets.set(key, bucket);
    }
    const elapsed = Math.max(0, now - bucket.at) / 1000;
    bucket.left = Math.min(this.#burst, bucket.left + elapsed * this.#perSecond);
    bucket.at = Math.max(bucket.at, now);
    if (bucket.left < 1) return (1 - bucket.left) / this.#perSecond;
    bucket.left -= 1;
    return 0;
  }

  /** Returns an unused token. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.left = Math.min(this.#burst, bucket.left + 1);
  }
}
