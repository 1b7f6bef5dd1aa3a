import { setTimeout as wait } from "node:timers/promises";

/**
 * Time in which lists of Cloudflare's API may omit a new object, or still have a deleted one. Reads by id are current. Cloudflare documents
 * neither.
 */
export const LATE_LIST_MS = 5_000;
const PAUSE_MS = 1_000;

export interface Clock {
  /** Milliseconds of any start. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = { now: () => performance.now(), sleep: (ms) => wait(ms) };

/**
 * Reads until the result is defined or a time has passed; at least once, and a last time at its end.
 *
 * @param until of the clock, such as {@link LATE_LIST_MS} after the change
 */
export async function readLate<T>(
  read: () => Promise<T | undefined>,
  until: number,
  clock: Clock = systemClock,
): Promise<T | undefined> {
  for (;;) {
    const left = until - clock.now();
    const found = await read();
    if (found !== undefined || left <= 0) return found;
    await clock.sleep(Math.min(PAUSE_MS, left));
  }
}
