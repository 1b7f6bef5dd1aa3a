/** Days and months in UTC and ISO 8601, such as `2026-11-23` and `2026-11`. They sort as text. */

const DAY_MS = 86_400_000;

/** The UTC day of an instant. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const nextDay = (day: string): string => dayOf(new Date(parseDay(day) + DAY_MS));

export interface BillingMonth {
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly days: readonly string[];
}

/** @param month `YYYY-MM` @throws RangeError for an invalid month */
export function billingMonth(month: string): BillingMonth {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError(`${month} is not a month of the form YYYY-MM`);
  const days: string[] = [];
  let day = `${month}-01`;
  for (; day.startsWith(month); day = nextDay(day)) days.push(day);
  return { start: `${month}-01`, end: day, days };
}

/** Start of a day in milliseconds. @throws RangeError for an invalid day */
function parseDay(day: string): number {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || dayOf(at) !== day)
    throw new RangeError(`${day} is not a day of the form YYYY-MM-DD`);
  return at.getTime();
}
