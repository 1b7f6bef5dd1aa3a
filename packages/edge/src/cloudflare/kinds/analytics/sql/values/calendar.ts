import type { IntervalUnit } from "../reading/syntax.ts";
import { invalidInput } from "../sql-error.ts";
import type { Interval } from "./values.ts";
import { instantOf, type WallTime, wallTime } from "./zones.ts";

const SECONDS: Readonly<Partial<Record<IntervalUnit, bigint>>> = {
  DAY: 86_400n,
  HOUR: 3_600n,
  MINUTE: 60n,
  SECOND: 1n,
};
export const DAY = 86_400n;

export function floorTo(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return value - (rest < 0n ? rest + step : rest);
}

const dateOf = (wall: WallTime) => new Date(Number(wall) * 1000);

function wallOf(year: number, month: number, day = 1): WallTime {
  const time = Date.UTC(year, month, day);
  if (Number.isNaN(time)) throw invalidInput("DateTime out of range");
  return BigInt(time / 1000);
}

/** Cloudflare's DateTime is an unsigned 32-bit number of seconds since the epoch. */
export const LAST_INSTANT = 0xffff_ffffn;

export function within32Bits(instant: bigint): bigint {
  return instant < 0n ? 0n : instant > LAST_INSTANT ? LAST_INSTANT : instant;
}

/** Returns undefined for intervals whose length depends on the calendar. */
export function secondsOf({ count, unit }: Interval): bigint | undefined {
  const seconds = SECONDS[unit];
  return seconds && seconds * count;
}

export function partOf(wall: WallTime, unit: IntervalUnit): bigint {
  const date = dateOf(wall);
  const parts = {
    YEAR: () => date.getUTCFullYear(),
    MONTH: () => date.getUTCMonth() + 1,
    DAY: () => date.getUTCDate(),
    HOUR: () => date.getUTCHours(),
    MINUTE: () => date.getUTCMinutes(),
    SECOND: () => date.getUTCSeconds(),
  };
  return BigInt(parts[unit]());
}

/** 1 is Monday, 7 is Sunday. */
export function dayOfWeek(wall: WallTime): bigint {
  return BigInt(dateOf(wall).getUTCDay() || 7);
}

/** Adds an interval, and clamps the day to the month's length. @param direction 1 or -1 */
export function addInterval(instant: bigint, interval: Interval, direction: bigint, zone: string): bigint {
  return within32Bits(movedFreely(instant, interval, direction, zone));
}

function movedFreely(instant: bigint, { count, unit }: Interval, direction: bigint, zone: string): bigint {
  const distance = count * direction;
  const seconds = SECONDS[unit];
  if (seconds !== undefined && unit !== "DAY") return instant + distance * seconds;
  const wall = wallTime(instant, zone);
  if (unit === "DAY") return instantOf(within32Bits(wall + distance * DAY), zone);
  const date = dateOf(wall);
  const months = Number(unit === "YEAR" ? distance * 12n : distance);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = wallOf(year, month, Math.min(date.getUTCDate(), lastDay));
  return instantOf(midnight + (wall - floorTo(wall, DAY)), zone);
}

/** Returns the start of the interval that contains an instant. Days and longer units follow the calendar of the zone. */
export function startOfInterval(instant: bigint, { count, unit }: Interval, zone: string): bigint {
  const wall = wallTime(instant, zone);
  if (unit === "YEAR") {
    const year = dateOf(wall).getUTCFullYear();
    return instantOf(wallOf(year - (year % Number(count)), 0), zone);
  }
  if (unit === "MONTH") {
    const months = dateOf(wall).getUTCFullYear() * 12 + dateOf(wall).getUTCMonth();
    return instantOf(monthStart(months - (months % Number(count))), zone);
  }
  return instantOf(floorTo(wall, count * (SECONDS[unit] ?? 1n)), zone);
}

/** @param months since year 0 */
function monthStart(months: number): WallTime {
  return wallOf(Math.floor(months / 12), months % 12);
}

export function startOfWeek(instant: bigint, zone: string): bigint {
  const wall = wallTime(instant, zone);
  return instantOf(floorTo(wall, DAY) - (dayOfWeek(wall) - 1n) * DAY, zone);
}

export function dateText(wall: WallTime): string {
  return dateOf(wall).toISOString().slice(0, 10);
}

export function timeText(wall: WallTime): string {
  return dateOf(wall).toISOString().slice(0, 19).replace("T", " ");
}
