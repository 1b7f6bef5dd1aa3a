export interface RateLimitOptions {
  burst: number;
  perSecond: number;
}

/** A token bucket. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  #left: number;
  #at: number;

  /** @param now milliseconds since the epoch */
  constructor(options: RateLimitOptions, now: number) {
    this.#options = options;
    this.#left = options.burst;
    this.#at = now;
  }

  /** Takes one token. @returns 0 on success, else the seconds until one is available */
  take(now: number): number {
    const { burst, perSecond } = this.#options;
    const elapsed = Math.max(0, now - this.#at) / 1000;
    this.#left = Math.min(burst, this.#left + elapsed * perSecond);
    this.#at = Math.max(this.#at, now);
    if (this.#left < 1) return (1 - this.#left) / perSecond;
    this.#left -= 1;
    return 0;
  }

  /** Returns an unused token. */
  giveBack(): void {
    this.#left = Math.min(this.#options.burst, this.#left + 1);
  }
}
