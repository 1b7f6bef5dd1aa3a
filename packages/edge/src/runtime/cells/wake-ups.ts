/** Wakes cells that ended before an alarm of theirs was due. */
import { nextAlarm } from "./alarms.ts";

/** A longer time than a timer can wait for is waited for in parts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class WakeUps {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #directory: (id: string) => string;
  readonly #wake: (id: string) => void;

  /**
   * @param directory where a cell's objects lie
   * @param wake starts a cell, whose workerd then runs the alarm itself
   */
  constructor(directory: (id: string) => string, wake: (id: string) => void) {
    this.#directory = directory;
    this.#wake = wake;
  }

  /** Sets the timer for a cell that does not run. */
  set(id: string): void {
    this.clear(id);
    const due = nextAlarm(this.#directory(id));
    if (due === undefined) return;
    const wait = Math.max(0, due - Date.now());
    const isLong = wait > LONGEST_TIMER_MS;
    const timer = setTimeout(() => (isLong ? this.set(id) : this.#wake(id)), Math.min(wait, LONGEST_TIMER_MS));
    timer.unref();
    this.#timers.set(id, timer);
  }

  /** Whether a cell that runs has an alarm to bring to its end. @param within milliseconds for which it may be late */
  isDue(id: string, within: number): boolean {
    const due = nextAlarm(this.#directory(id));
    const now = Date.now();
    return due !== undefined && due <= now && due > now - within;
  }

  /** Takes the timer of a cell away: it runs, or is no more. */
  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  stop(): void {
    for (const id of [...this.#timers.keys()]) this.clear(id);
  }
}
