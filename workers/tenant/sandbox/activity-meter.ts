/** Measures a tenant's traffic while its sandbox is awake: {@link SandboxActivity}. */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";

/** How long what a client sends on a WebSocket counts as traffic, in milliseconds. */
const MESSAGE_MS = 1_000;

export class ActivityMeter {
  readonly #now: () => number;
  readonly #wake = crypto.randomUUID();
  readonly #wokeAt: number;
  #lastTraffic: number;
  /** Until when the last message counts. */
  #messageUntil: number;
  /** Up to when {@link #activeMs} is reckoned. */
  #reckoned: number;
  #activeMs = 0;
  #underWay = 0;
  #webSocketSessions = 0;

  /** @param now the clock, in milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#wokeAt = now();
    this.#lastTraffic = this.#wokeAt;
    this.#messageUntil = this.#wokeAt;
    this.#reckoned = this.#wokeAt;
  }

  /** A request begins. @returns to be called when it and its answer are over; calling it again does nothing */
  begin(): () => void {
    this.#reckon();
    this.#underWay += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#lastTraffic = this.#reckon();
      this.#underWay -= 1;
    };
  }

  /** A client opened a WebSocket. */
  opened(): void {
    this.#webSocketSessions += 1;
    this.message();
  }

  /** A client sent something on a WebSocket. */
  message(): void {
    this.#lastTraffic = this.#reckon();
    this.#messageUntil = this.#lastTraffic + MESSAGE_MS;
  }

  read(): SandboxActivity {
    const now = this.#reckon();
    return {
      wake: this.#wake,
      uptimeMs: Math.max(0, now - this.#wokeAt),
      idleMs: this.#underWay > 0 ? 0 : Math.max(0, now - this.#lastTraffic),
      activeMs: this.#activeMs,
      webSocketSessions: this.#webSocketSessions,
    };
  }

  #reckon(): number {
    const now = this.#now();
    const until = this.#underWay > 0 ? now : Math.min(now, this.#messageUntil);
    this.#activeMs += Math.max(0, until - this.#reckoned);
    this.#reckoned = now;
    return now;
  }
}
