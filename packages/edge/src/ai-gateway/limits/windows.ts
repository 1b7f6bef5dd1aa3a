/** Windows of time that are aligned to the clock, as the vendor's limits have them. */

/** Number of the window that `now` (milliseconds) lies in. @param seconds length of a window */
export function windowOf(now: number, seconds: number): number {
  return Math.floor(now / (seconds * 1000));
}

/** Part of the window before this one that the last `seconds` still reach into: 1 at this one's start, towards 0 at its end. */
export function overlap(now: number, seconds: number): number {
  return 1 - (now / (seconds * 1000) - windowOf(now, seconds));
}
