/** Token buckets by key, of which the least lately used are forgotten. */
import { BoundedMap } from "./bounded-map.ts";
import { TokenBucket } from "./rate-limit.ts";

const MAX_BUCKETS = 5_000;

export class TokenBuckets {
  readonly #buckets = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);
  readonly #burst: number;
  readonly #perSecond: number;

  /** What each key is allowed: a burst, then so many a second. */
  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes one of `key`'s. @param now milliseconds since the epoch @returns 0 when it was there, else the seconds until there is one */
  take(key: string, now: number): number {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new TokenBucket(this.#burst, this.#perSecond, now);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(now);
  }

  /** Puts back one that was taken and not needed. */
  giveBack(key: string): void {
    this.#buckets.get(key)?.giveBack();
  }
}
