const DAY_MS = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns the last `count` days in UTC as `YYYY-MM-DD`, oldest first, ending today. */
export function lastDays(count: number): [string, ...string[]] {
  const now = Date.now();
  const [first, ...rest] = Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY_MS));
  return [first ?? dayOf(now), ...rest];
}
