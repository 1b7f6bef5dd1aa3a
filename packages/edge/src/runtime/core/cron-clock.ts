/** Fires schedules, each minute on the minute. A minute that was slept through is not made up for. */

import type { Log } from "@tenantry/std/log";
import { parseCron } from "../../cloudflare/kinds/cron-triggers/cron.ts";
import type { SchedulesRecord } from "../../cloudflare/kinds/cron-triggers/record.ts";

/** Time, so that tests can pass it by. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `work` once after so many milliseconds, unless the returned function is called before. */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const MINUTE_MS = 60_000;

export class CronClock {
  readonly #schedules: () => SchedulesRecord[];
  readonly #fire: (script: string, cron: string, at: number) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #log: Log;
  #lastMinute: number;
  #cancel: () => void;

  constructor(o: {
    schedules: () => SchedulesRecord[];
    fire: (script: string, cron: string, at: number) => Promise<unknown>;
    clock: Clock;
    log: Log;
  }) {
    this.#schedules = o.schedules;
    this.#fire = o.fire;
    this.#clock = o.clock;
    this.#log = o.log;
    this.#lastMinute = Math.floor(o.clock.now() / MINUTE_MS);
    this.#cancel = this.#wait();
  }

  stop(): void {
    this.#cancel();
  }

  #wait(): () => void {
    return this.#clock.after(MINUTE_MS - (this.#clock.now() % MINUTE_MS), () => {
      // A timer may come a little early; the same minute must not come twice.
      const minute = Math.floor(this.#clock.now() / MINUTE_MS);
      if (minute > this.#lastMinute) {
        this.#lastMinute = minute;
        this.#tick(minute * MINUTE_MS);
      }
      this.#cancel = this.#wait();
    });
  }

  #tick(at: number): void {
    for (const { id: script, schedules } of this.#schedules()) {
      for (const { cron } of schedules) {
        if (!this.#isDue(script, cron, at)) continue;
        this.#fire(script, cron, at).catch((error: unknown) => {
          this.#log("runtime", "scheduled-failed", { script, cron, message: String(error) });
        });
      }
    }
  }

  #isDue(script: string, cron: string, at: number): boolean {
    try {
      return parseCron(cron)(new Date(at));
    } catch (error) {
      this.#log("runtime", "schedule-refused", { script, cron, message: String(error) });
      return false;
    }
  }
}
