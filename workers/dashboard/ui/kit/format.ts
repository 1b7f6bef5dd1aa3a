const MICROS = 1_000_000;

const numbers = new Intl.NumberFormat();
const dollars = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
const fineDollars = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", maximumFractionDigits: 4 });
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const longDays = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const months = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
// Always with a number: "last month" hides how long ago.
const relative = {
  narrow: new Intl.RelativeTimeFormat(undefined, { numeric: "always", style: "narrow" }),
  long: new Intl.RelativeTimeFormat(undefined, { numeric: "always", style: "long" }),
} as const;
const now = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(0, "second");

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const formatNumber = (value: number): string => numbers.format(value);

/** @param micros millionths of a US dollar */
export function formatMoney(micros: number): string {
  const amount = micros / MICROS;
  return (amount !== 0 && Math.abs(amount) < 0.01 ? fineDollars : dollars).format(amount);
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** @param day `YYYY-MM-DD`, in UTC */
export const formatDay = (day: string): string => days.format(new Date(day));
export const formatLongDay = (day: string): string => longDays.format(new Date(day));
/** Such as `Nov 3 – 9, 2026`. @param days `YYYY-MM-DD`, in UTC, both included */
export const formatDays = ({ first, last }: { first: string; last: string }): string =>
  longDays.formatRange(new Date(first), new Date(last));
/** @param day any day of the month, `YYYY-MM-DD` */
export const formatMonth = (day: string): string => months.format(new Date(day));
/** In the viewer's time zone. @param at ISO 8601 */
export const formatDate = (at: string): string => dates.format(new Date(at));
export const formatInstant = (at: string): string => instants.format(new Date(at));

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Such as `3min ago` or `in 2d`; `long`: `3 minutes ago`. @param current in milliseconds */
export function formatAgo(at: string, current: number, style: keyof typeof relative = "narrow"): string {
  const seconds = (Date.parse(at) - current) / 1000;
  // The clocks of server and browser differ slightly.
  if (Math.abs(seconds) < 2) return now;
  const [unit, length] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ["second", 1];
  return relative[style].format(Math.trunc(seconds / length), unit);
}

/** From here on, minutes are noise. */
const MANY_HOURS = 100;

/** Such as `1 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours >= MANY_HOURS) return `${formatNumber(hours)} h`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
