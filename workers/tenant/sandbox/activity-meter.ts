/** Measures a tenant's traffic while its sandbox is awake. */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";

/** How long a client's WebSocket message counts as traffic, in milliseconds. */
const MESSAGE_MS = 1_000;

export class ActivityMeter {
  readonly #now: () => number;
  readonly #wake = crypto.randomUUID();
  readonly #wokeAt: number;
  #lastTraffic: number;
  #messageUntil: number;
  /** The time up to which {@link #activeMs} is counted. */
  #countedUntil: number;
  #activeMs = 0;
  #openRequests = 0;
  #webSocketSessions = 0;

  /** @param now the clock, in milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#wokeAt = now();
    this.#lastTraffic = this.#wokeAt;
    this.#messageUntil = this.#wokeAt;
    this.#countedUntil = this.#wokeAt;
  }

  /** Counts a request. @returns a function that ends it; further calls have no effect */
  begin(): () => void {
    this.#update();
    this.#openRequests += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#lastTraffic = this.#update();
      this.#openRequests -= 1;
    };
  }

  countWebSocket(): void {
    this.#webSocketSessions += 1;
    this.countMessage();
  }

  countMessage(): void {
    this.#lastTraffic = this.#update();
    this.#messageUntil = this.#lastTraffic + MESSAGE_MS;
  }

  read(): SandboxActivity {
    const now = this.#update();
    return {
      wake: this.#wake,
      uptimeMs: Math.max(0, now - this.#wokeAt),
      idleMs: this.#openRequests > 0 ? 0 : Math.max(0, now - this.#lastTraffic),
      activeMs: this.#activeMs,
      webSocketSessions: this.#webSocketSessions,
    };
  }

  #update(): number {
    const now = this.#now();
    const until = this.#openRequests > 0 ? now : Math.min(now, this.#messageUntil);
    this.#activeMs += Math.max(0, until - this.#countedUntil);
    this.#countedUntil = now;
    return now;
  }
}
