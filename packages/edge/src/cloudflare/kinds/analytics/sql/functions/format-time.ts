/** ClickHouse: clickhouse.com/docs/sql-reference/functions/date-time-functions#formatdatetime */
import { invalidInput } from "../sql-error.ts";
import { dateText, dayOfWeek, partOf, timeText } from "../values/calendar.ts";
import type { WallTime } from "../values/zones.ts";

type Read = (wall: WallTime) => string;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

const twoDigits = (value: bigint) => String(value).padStart(2, "0");
const hour12 = (wall: WallTime) => ((partOf(wall, "HOUR") + 11n) % 12n) + 1n;
const monthName = (wall: WallTime) => MONTHS[Number(partOf(wall, "MONTH")) - 1] ?? "";
const dayName = (wall: WallTime) => DAYS[Number(dayOfWeek(wall)) - 1] ?? "";
const timeOfDay = (wall: WallTime) => timeText(wall).slice(11);

const LETTERS: Readonly<Record<string, Read>> = {
  "%": () => "%",
  a: (wall) => dayName(wall).slice(0, 3),
  b: (wall) => monthName(wall).slice(0, 3),
  d: (wall) => twoDigits(partOf(wall, "DAY")),
  D: (wall) =>
    `${twoDigits(partOf(wall, "MONTH"))}/${twoDigits(partOf(wall, "DAY"))}/${twoDigits(partOf(wall, "YEAR") % 100n)}`,
  e: (wall) => String(partOf(wall, "DAY")).padStart(2),
  F: dateText,
  H: (wall) => twoDigits(partOf(wall, "HOUR")),
  h: (wall) => twoDigits(hour12(wall)),
  I: (wall) => twoDigits(hour12(wall)),
  i: (wall) => twoDigits(partOf(wall, "MINUTE")),
  j: (wall) =>
    String((wall - BigInt(Date.UTC(Number(partOf(wall, "YEAR")), 0) / 1000)) / 86_400n + 1n).padStart(3, "0"),
  M: monthName,
  m: (wall) => twoDigits(partOf(wall, "MONTH")),
  n: () => "\n",
  p: (wall) => (partOf(wall, "HOUR") < 12n ? "AM" : "PM"),
  R: (wall) => timeOfDay(wall).slice(0, 5),
  S: (wall) => twoDigits(partOf(wall, "SECOND")),
  s: (wall) => twoDigits(partOf(wall, "SECOND")),
  T: timeOfDay,
  t: () => "\t",
  u: (wall) => String(dayOfWeek(wall)),
  W: dayName,
  w: (wall) => String(dayOfWeek(wall) % 7n),
  Y: (wall) => String(partOf(wall, "YEAR")),
  y: (wall) => twoDigits(partOf(wall, "YEAR") % 100n),
};

export function formatOf(format: string): readonly (string | Read)[] {
  return format.split(/(%.?)/s).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const read = Object.hasOwn(LETTERS, piece.slice(1)) ? LETTERS[piece.slice(1)] : undefined;
    if (read === undefined) throw invalidInput(`unsupported format specifier: ${piece}`);
    return read;
  });
}

export function formattedTime(wall: WallTime, format: readonly (string | Read)[]): string {
  return format.map((piece) => (typeof piece === "string" ? piece : piece(wall))).join("");
}
