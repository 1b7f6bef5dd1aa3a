import { invalidInput } from "../sql-error.ts";
import { UTC } from "./types.ts";

/** Local time, as the instant at which a UTC clock shows it. */
export type WallTime = bigint;

/** Zone names are case-insensitive, so the number of spellings is unbounded. */
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

export const ZONES: readonly string[] = [...NAMES].toSorted();

/** Returns `name`. @throws SqlError for an unknown time zone */
export function zoneNamed(name: string): string {
  // `supportedValuesOf` lists one name of each zone; offsets are not names.
  if (!NAMES.has(name) && !(/^[A-Za-z_]+\/[A-Za-z_/-]+$/.test(name) && isKnown(name)))
    throw invalidInput(`unknown timezone: ${name}`);
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

/** More than a day beyond 32 bits of seconds, within the range of `Date`. */
const LAST = 2n ** 33n;

/** Returns an instant at which local clocks show `shown`: at a change of the offset, one of the two. Clamps distant times. */
export function instantOf(shown: WallTime, zone: string): bigint {
  const wall = shown < -LAST ? -LAST : shown > LAST ? LAST : shown;
  const first = wall - (wallTime(wall, zone) - wall);
  return wall - (wallTime(first, zone) - first);
}
