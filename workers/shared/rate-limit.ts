/** A rate limit that allows a burst and then a steady rate. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  #tokens: number;
  #at: number;

  /**
   * @param capacity the burst
   * @param perSecond how many more are allowed each second
   * @param now milliseconds since the epoch
   */
  constructor(capacity: number, perSecond: number, now: number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#tokens = capacity;
    this.#at = now;
  }

  /** Takes one. @returns 0 when it was there, else the seconds until there is one */
  take(now: number): number {
    const elapsed = Math.max(0, now - this.#at) / 1000;
    this.#tokens = Math.min(this.#capacity, this.#tokens + elapsed * this.#perSecond);
    this.#at = Math.max(this.#at, now);
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#perSecond;
    this.#tokens -= 1;
    return 0;
  }

  /** Puts back one that was taken and not needed. */
  giveBack(): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + 1);
  }
}
