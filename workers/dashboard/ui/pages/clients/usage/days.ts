/** Days of UTC, as `YYYY-MM-DD`. */
const DAY_MS = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The last days, today with them, the oldest first. */
export function lastDays(count: number, now = Date.now()): [string, ...string[]] {
  const [first, ...rest] = Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY_MS));
  return [first ?? dayOf(now), ...rest];
}
