/** Times of day in a time zone. Instants are seconds since the epoch. */
import { invalid } from "../sql-error.ts";
import { UTC } from "./types.ts";

/** What a clock on the wall shows, told as the instant at which one in UTC shows it. */
export type WallTime = bigint;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}

const NAMES: ReadonlySet<string> = new Set([UTC, "UTC", ...Intl.supportedValuesOf("timeZone")]);

/** Names of the time zones there are, sorted. */
export const ZONES: readonly string[] = [...NAMES].toSorted();

/** The same name. @throws SqlError for a time zone that there is not */
export function zoneNamed(name: string): string {
  if (!NAMES.has(name)) throw invalid(`unknown timezone: ${name}`);
  return name;
}

export function wallTime(instant: bigint, zone: string): WallTime {
  if (zone === UTC || zone === "UTC") return instant;
  const found: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(Number(instant) * 1000)) found[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
  return BigInt(Date.UTC(year, month - 1, day, hour, minute, second) / 1000);
}

/** The instant at which clocks show it; of an hour that is left out or comes twice, one of the two. */
export function instantOf(wall: WallTime, zone: string): bigint {
  const first = wall - (wallTime(wall, zone) - wall);
  return wall - (wallTime(first, zone) - first);
}
