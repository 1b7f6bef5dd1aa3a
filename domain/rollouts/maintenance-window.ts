/** When a client's tenant may be interrupted by what is not urgent. */

export interface MaintenanceWindow {
  /** ISO days of the week on which it opens, 1 for Monday. */
  days: readonly number[];
  /** Local time at which it opens, as `HH:MM`. */
  start: string;
  /** For how many hours it is open, 1 to 24. */
  hours: number;
  /** Time zone, such as `Europe/Berlin`. */
  timeZone: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Opening {
  from: Date;
  until: Date;
}

/** Whether a name is a time zone's. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The opening that a moment lies in or, where it lies in none, the next one. */
export function openingAt(window: MaintenanceWindow, moment: Date): Opening {
  // One that is open now may have opened the day before; a week later there is another.
  for (let day = -1; day <= 8; day += 1) {
    const date = localDate(new Date(moment.getTime() + day * DAY_MS), window.timeZone);
    if (!window.days.includes(isoWeekday(date))) continue;
    const from = zoned(date, window.start, window.timeZone);
    const until = new Date(from.getTime() + window.hours * HOUR_MS);
    if (until > moment) return { from, until };
  }
  throw new Error("A maintenance window opens on no day.");
}

/**
 * When a tenant may be interrupted at the earliest.
 *
 * @param window of its client; undefined where any time will do
 */
export function interruptibleFrom(window: MaintenanceWindow | undefined, earliest: Date): Date {
  if (window === undefined) return earliest;
  const { from } = openingAt(window, earliest);
  return from > earliest ? from : earliest;
}

/** A day of the calendar as `YYYY-MM-DD`. */
function localDate(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    moment,
  );
}

function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The moment of a local time. One that a change of the clocks leaves out is taken an hour later. */
function zoned(date: string, time: string, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  const near = new Date(asUtc - offsetMs(new Date(asUtc), timeZone));
  // The clocks may have been changed in between.
  return new Date(asUtc - offsetMs(near, timeZone));
}

/** How far a zone's clocks are ahead of UTC. */
function offsetMs(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(moment);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(moment.getTime() / 1000) * 1000;
}
