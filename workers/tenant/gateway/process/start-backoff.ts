/** Delays starts of a gateway that keeps failing: 2 s after the first, doubling up to a minute. */
const BASE_MS = 1_000;
const LIMIT_MS = 60_000;

export class StartBackoff {
  #attempts = 0;
  #last = 0;

  /** @param now milliseconds since the epoch */
  permits(now: number): boolean {
    return this.#attempts === 0 || now - this.#last >= Math.min(LIMIT_MS, BASE_MS * 2 ** this.#attempts);
  }

  recordAttempt(now: number): void {
    this.#attempts += 1;
    this.#last = now;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
