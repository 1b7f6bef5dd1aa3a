import type { Log } from "@tenantry/std/log";
import { parseCron } from "../../cloudflare/kinds/cron-triggers/cron.ts";
import type { SchedulesRecord } from "../../cloudflare/kinds/cron-triggers/record.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `work` once, unless the returned function is called before. */
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

interface CronClockOptions {
  schedules: () => SchedulesRecord[];
  fire: (script: string, cron: string, at: number) => Promise<unknown>;
  clock: Clock;
  log: Log;
}

/** Fires schedules each minute. It does not make up for minutes in which the machine slept. */
export class CronClock {
  readonly #o: CronClockOptions;
  #lastMinute: number;
  #cancel: () => void;

  constructor(options: CronClockOptions) {
    this.#o = options;
    this.#lastMinute = Math.floor(options.clock.now() / MINUTE_MS);
    this.#cancel = this.#wait();
  }

  stop(): void {
    this.#cancel();
  }

  #wait(): () => void {
    const { clock } = this.#o;
    return clock.after(MINUTE_MS - (clock.now() % MINUTE_MS), () => {
      // A timer may fire slightly early; the same minute must not fire twice.
      const minute = Math.floor(clock.now() / MINUTE_MS);
      if (minute > this.#lastMinute) {
        this.#lastMinute = minute;
        this.#tick(minute * MINUTE_MS);
      }
      this.#cancel = this.#wait();
    });
  }

  #tick(at: number): void {
    for (const { id: script, schedules } of this.#o.schedules()) {
      for (const { cron } of schedules) {
        if (!this.#isDue(script, cron, at)) continue;
        this.#o.fire(script, cron, at).catch((error: unknown) => {
          this.#o.log("runtime", "scheduled-failed", { script, cron, message: String(error) });
        });
      }
    }
  }

  #isDue(script: string, cron: string, at: number): boolean {
    try {
      return parseCron(cron)(new Date(at));
    } catch (error) {
      this.#o.log("runtime", "schedule-refused", { script, cron, message: String(error) });
      return false;
    }
  }
}
