/** Returns the number of the clock-aligned window of a time in milliseconds. @param seconds length of a window */
export function windowOf(now: number, seconds: number): number {
  return Math.floor(now / (seconds * 1000));
}

/** Returns the share of the previous window within the last `seconds`: 1 at the start of this window, towards 0 at its end. */
export function windowOverlap(now: number, seconds: number): number {
  return 1 - (now / (seconds * 1000) - windowOf(now, seconds));
}
