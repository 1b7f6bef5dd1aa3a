/** When a client's tenant may be interrupted by changes that are not urgent. */
export interface MaintenanceWindow {
  /** ISO days of the week on which it opens, 1 for Monday. */
  days: readonly number[];
  /** Local time at which it opens, as `HH:MM`. */
  start: string;
  /** 1 to 24. */
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

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the current opening, else the next one. */
export function openingAt(window: MaintenanceWindow, moment: Date): Opening {
  // The current opening may have started the day before; the next one is within a week.
  for (let day = -1; day <= 8; day += 1) {
    const date = localDate(new Date(moment.getTime() + day * DAY_MS), window.timeZone);
    if (!window.days.includes(isoWeekday(date))) continue;
    const from = dateInTimeZone(date, window.start, window.timeZone);
    const until = new Date(from.getTime() + window.hours * HOUR_MS);
    if (until > moment) return { from, until };
  }
  throw new Error("A maintenance window opens on no day.");
}

/** Returns the earliest time at which a tenant may be interrupted. @param window `undefined`: any time */
export function interruptibleFrom(window: MaintenanceWindow | undefined, earliest: Date): Date {
  if (window === undefined) return earliest;
  const { from } = openingAt(window, earliest);
  return from > earliest ? from : earliest;
}

/** As `YYYY-MM-DD`. */
function localDate(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    moment,
  );
}

const isoWeekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

/** Converts a local time. A time that a clock change skips is an hour later. */
function dateInTimeZone(date: string, time: string, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  const near = new Date(asUtc - offsetMs(new Date(asUtc), timeZone));
  // The clocks may change in between.
  return new Date(asUtc - offsetMs(near, timeZone));
}

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
