/** Days and months in UTC, as ISO 8601 writes them: `2026-11-23` and `2026-11`. Their order is that of their texts. */

const DAY_MS = 86_400_000;

/** The UTC day of an instant. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The day after. */
export function nextDay(day: string): string {
  return dayOf(new Date(instant(day) + DAY_MS));
}

/** A month, and what an invoice over it covers. */
export interface BillingMonth {
  /** Its first day. */
  readonly start: string;
  /** The day after its last. */
  readonly end: string;
  /** Every day of it, in order. */
  readonly days: readonly string[];
}

/** @param month `YYYY-MM` @throws RangeError when it is no month */
export function billingMonth(month: string): BillingMonth {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError(`${month} is no month of the form YYYY-MM`);
  const days: string[] = [];
  let day = `${month}-01`;
  for (; day.startsWith(month); day = nextDay(day)) days.push(day);
  return { start: `${month}-01`, end: day, days };
}

/** Milliseconds of a day's beginning. @throws RangeError when it is no day */
function instant(day: string): number {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || dayOf(at) !== day) throw new RangeError(`${day} is no day of the form YYYY-MM-DD`);
  return at.getTime();
}
