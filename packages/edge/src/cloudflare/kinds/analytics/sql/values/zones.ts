/** Times of day in a time zone. Instants are seconds since the epoch. */
import { invalid } from "../sql-error.ts";
import { UTC } from "./types.ts";

/** What a clock on the wall shows, told as the instant at which one in UTC shows it. */
export type WallTime = bigint;

/** Zones are taken in any case, so that one has many names. */
const MOST_FORMATS = 500;
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
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(zone, format);
  return format;
}

const NAMES: ReadonlySet<string> = new Set([UTC, "UTC", ...Intl.supportedValuesOf("timeZone")]);

/** Names of the time zones there are, sorted. */
export const ZONES: readonly string[] = [...NAMES].toSorted();

/** The same name. @throws SqlError for a time zone that there is not */
export function zoneNamed(name: string): string {
  // Of a place that was renamed only one name is listed; an offset is no name.
  if (!NAMES.has(name) && !(/^[A-Za-z_]+\/[A-Za-z_/-]+$/.test(name) && isKnown(name)))
    throw invalid(`unknown timezone: ${name}`);
  return name;
}

function isKnown(name: string): boolean {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

export function wallTime(instant: bigint, zone: string): WallTime {
  if (zone === UTC || zone === "UTC") return instant;
  const found: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(Number(instant) * 1000)) found[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
  return BigInt(Date.UTC(year, month - 1, day, hour, minute, second) / 1000);
}

/** More than a day beyond what 32 bits of seconds hold, and less than what a calendar has. */
const LAST = 2n ** 33n;

/** The instant at which clocks show it; of an hour that is left out or comes twice, one of the two. What is far off is not as far. */
export function instantOf(shown: WallTime, zone: string): bigint {
  const wall = shown < -LAST ? -LAST : shown > LAST ? LAST : shown;
  const first = wall - (wallTime(wall, zone) - wall);
  return wall - (wallTime(first, zone) - first);
}
