/** The period of the models page, which its address has. Days are in UTC. */
import { billingMonth } from "#domain/billing/billing-month.ts";
import { lastDays } from "#workers/dashboard/ui/pages/clients/usage/days.ts";

export const PERIOD_DAYS = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

/** Days as `YYYY-MM-DD`, both included. */
export interface DayRange {
  first: string;
  last: string;
}

export interface Period extends DayRange {
  days: readonly string[];
  before: DayRange;
}

interface PeriodSearch {
  days?: number | undefined;
  /** `YYYY-MM`; takes precedence. */
  month?: string | undefined;
}

/** Returns the present month and the two before, newest first, for which spending by model is known. */
export function periodMonths(): string[] {
  const month = lastDays(1)[0].slice(0, 7);
  return [month, monthBefore(month), monthBefore(monthBefore(month))];
}

/** Returns the number of days that is offered and wanted, else the default. */
export const periodDays = (wanted: number | undefined): number =>
  PERIOD_DAYS.find((one) => one === wanted) ?? DEFAULT_DAYS;

export function periodOf({ days: wanted, month }: PeriodSearch): Period {
  const today = lastDays(1)[0];
  if (month !== undefined && month <= today.slice(0, 7)) return monthOf(month, today);
  const count = periodDays(wanted);
  const days = lastDays(2 * count);
  return { ...rangeOf(days.slice(count)), days: days.slice(count), before: rangeOf(days.slice(0, count)) };
}

/** The present month is compared with as many days of the month before. */
function monthOf(month: string, today: string): Period {
  const { days } = billingMonth(month);
  const known = days.filter((day) => day <= today);
  const former = billingMonth(monthBefore(month)).days;
  const before = known.length < days.length ? former.slice(0, known.length) : former;
  return { ...rangeOf(known), days: known, before: rangeOf(before) };
}

const rangeOf = (days: readonly string[]): DayRange => ({ first: days[0] ?? "", last: days.at(-1) ?? "" });

function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}
