import type { Clock } from "../core/cron-clock.ts";

/** A clock that a test moves. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { at: number; work: () => void }[] = [];

  constructor(now: string) {
    this.#now = Date.parse(now);
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, work: () => void): () => void {
    const timer = { at: this.#now + milliseconds, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves the clock at once, as after sleep of the machine. Timers that are due run once. */
  leap(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const timer of due) timer.work();
  }
}
