/** Starts cells that ended before an alarm of theirs was due. */
import { nextAlarm } from "./alarms.ts";

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class WakeUps {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #directory: (id: string) => string;
  readonly #wake: (id: string) => void;

  /**
   * @param directory returns the folder of a cell's objects
   * @param wake starts a cell, whose workerd then runs the alarm
   */
  constructor(directory: (id: string) => string, wake: (id: string) => void) {
    this.#directory = directory;
    this.#wake = wake;
  }

  /** Sets the timer of a cell that does not run. */
  set(id: string): void {
    this.clear(id);
    const due = nextAlarm(this.#directory(id));
    if (due === undefined) return;
    const wait = Math.max(0, due - Date.now());
    const isLong = wait > MAX_TIMER_MS;
    const timer = setTimeout(() => (isLong ? this.set(id) : this.#wake(id)), Math.min(wait, MAX_TIMER_MS));
    timer.unref();
    this.#timers.set(id, timer);
  }

  /** Whether a running cell has an alarm that is due, and by at most `toleranceMs` late. */
  isDue(id: string, toleranceMs: number): boolean {
    const due = nextAlarm(this.#directory(id));
    const now = Date.now();
    return due !== undefined && due <= now && due > now - toleranceMs;
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  stop(): void {
    for (const id of [...this.#timers.keys()]) this.clear(id);
  }
}
