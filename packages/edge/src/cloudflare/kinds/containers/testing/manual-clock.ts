import type { Clock } from "#runtime/core/cron-clock.ts";

/** A clock that tests move. */
export class ManualClock implements Clock {
  #now = 1_800_000_000_000;
  #timers: { at: number; work: () => void }[] = [];

  now = (): number => this.#now;

  after = (milliseconds: number, work: () => void): (() => void) => {
    const timer = { at: this.#now + milliseconds, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Moves the clock, with everything that is due in between. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.at;
      next.work();
      await settled();
    }
    this.#now = end;
  }
}

/** Resolves after work that is queued now. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
