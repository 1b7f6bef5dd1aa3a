/** Keeps a run below the limit of API requests: developers.cloudflare.com/fundamentals/api/reference/limits/. */

import { setTimeout as delay } from "node:timers/promises";
import { retryAfterMs } from "@tenantry/cloudflare-client/retry-after";

/** Cloudflare allows 1,200 for a token; others may use it meanwhile. */
const REQUESTS = 1_150;
const WINDOW_MS = 300_000;
const REFUSED_MS = 60_000;

export interface Clock {
  /** Milliseconds. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
}

const clock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

export class Pace {
  readonly #clock: Clock;
  readonly #requests: number;
  /** Times of the requests of the last five minutes. */
  readonly #sent: number[] = [];

  /** @param requests most in five minutes */
  constructor(requests = REQUESTS, own: Clock = clock) {
    this.#requests = requests;
    this.#clock = own;
  }

  /** Waits until one more request is within the limit. */
  async turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      while ((this.#sent[0] ?? now) <= now - WINDOW_MS) this.#sent.shift();
      if (this.#sent.length < this.#requests) break;
      await this.#clock.sleep((this.#sent[0] ?? now) + WINDOW_MS - now, signal);
    }
    this.#sent.push(this.#clock.now());
  }

  /** Waits as a response with status 429 says. */
  async pause(headers: Headers, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(retryAfterMs(headers) ?? REFUSED_MS, signal);
  }
}
