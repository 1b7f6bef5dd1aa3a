/** A rate limit that allows a burst and then a steady rate. */
export class RateLimit {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  /**
   * @param burst how many are allowed at once
   * @param perSecond how many more are allowed each second
   * @param now milliseconds since the epoch
   */
  constructor(burst: number, perSecond: number, now: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#at = now;
  }

  /** Takes one. @returns 0 when it was there, else the seconds until there is one */
  take(now: number): number {
    const elapsed = Math.max(0, now - this.#at) / 1000;
    this.#left = Math.min(this.#burst, this.#left + elapsed * this.#perSecond);
    this.#at = Math.max(this.#at, now);
    if (this.#left < 1) return (1 - this.#left) / this.#perSecond;
    this.#left -= 1;
    return 0;
  }

  /** Puts back one that was taken and not needed. */
  giveBack(): void {
    this.#left = Math.min(this.#burst, this.#left + 1);
  }
}
