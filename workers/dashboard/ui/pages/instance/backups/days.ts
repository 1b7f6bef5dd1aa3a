/** Times and days of backups, in the viewer's time zone. */
import type { Backup } from "./backups.ts";

const twoDigits = (value: number): string => String(value).padStart(2, "0");
const keyOf = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;

/** The day of a backup, such as `2026-11-28`. */
export const dayOf = ({ created_at }: Pick<Backup, "created_at">): string => keyOf(new Date(created_at));

const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", timeZone: "UTC" });
const longDates = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" });

/** Such as `Yesterday, 28 November`. @param now in milliseconds */
export function dayInWords(day: string, now: number): string {
  const date = new Date(day);
  if (day === keyOf(new Date(now))) return `Today, ${dates.format(date)}`;
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === keyOf(yesterday) ? `Yesterday, ${dates.format(date)}` : longDates.format(date);
}

const moments = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});
/** Such as `28 Nov, 10:15`. */
export const momentOf = ({ created_at }: Pick<Backup, "created_at">) => moments.format(new Date(created_at));

/** Counts backups by day. */
export function countByDay(backups: readonly Backup[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const day of backups.map(dayOf)) counts.set(day, (counts.get(day) ?? 0) + 1);
  return counts;
}

interface Limits {
  days: number;
  perDay: number;
}

/** Returns the newest backups of each of the newest days. @param backups newest first */
export function newestOfDays<B extends Pick<Backup, "created_at">>(
  backups: readonly B[],
  { days, perDay }: Limits,
): B[] {
  const counts = new Map<string, number>();
  const shown: B[] = [];
  for (const backup of backups) {
    const day = dayOf(backup);
    const count = counts.get(day) ?? 0;
    if (count === 0 && counts.size === days) break;
    counts.set(day, count + 1);
    if (count < perDay) shown.push(backup);
  }
  return shown;
}
