/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/date-time-functions/ */
import { type Fill, startOfSteps } from "../compiling/vectors.ts";
import { invalidInput } from "../sql-error.ts";
import {
  DAY,
  dayOfWeek,
  floorTo,
  LAST_INSTANT,
  partOf,
  secondsOf as secondsOfInterval,
  startOfInterval,
  startOfWeek,
  within32Bits,
} from "../values/calendar.ts";
import { DATE, DATE_TIME, dateTime, STRING, UINT8, UINT16, UINT32, UTC } from "../values/types.ts";
import { asDouble, asInteger, asInterval, asText, type Interval, type Value } from "../values/values.ts";
import { instantOf, wallTime, zoneNamed } from "../values/zones.ts";
import { formatOf, formattedTime } from "./format-time.ts";
import {
  type Application,
  type Applied,
  constantAt,
  dateTimeAt,
  defineFunction,
  type Functions,
  typeAt,
} from "./function.ts";

function zoneAt(application: Application, at: number, otherwise: string): string {
  const name = constantAt(application, at);
  if (name === undefined) return otherwise;
  typeAt(application, at, "String");
  return zoneNamed(asText(name));
}

/** Parses seconds since the epoch, or `YYYY-MM-DD hh:mm:ss` in the zone. @throws SqlError */
function parsedTime(text: string, zone: string): bigint {
  if (/^\d{1,10}$/.test(text)) return within32Bits(BigInt(text));
  const match = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?$/.exec(text);
  const [, year, month, day, hour = "00", minute = "00", second = "00"] = match ?? [];
  const time = match === null ? Number.NaN : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) throw invalidInput("cannot parse string as DateTime");
  return within32Bits(instantOf(BigInt(time / 1000), zone));
}

function secondsOf(value: Value | undefined): bigint {
  return within32Bits(typeof value === "number" ? asInteger(Math.trunc(asDouble(value))) : asInteger(value));
}

const defineDatePart = (type: typeof UINT8, read: (wall: bigint) => bigint) =>
  defineFunction(1, 1, (application) => {
    const given = typeAt(application, 0, "DateTime", "Date");
    const zone = given.kind === "DateTime" ? given.zone : UTC;
    return { type, run: ([value]) => read(wallTime(asInteger(value), zone)) };
  });

function startIn(zone: string, interval: Interval): Applied {
  const run = ([value]: readonly Value[]) => within32Bits(startOfInterval(asInteger(value), interval, zone));
  return { type: dateTime(zone), fill: startsOf(zone, interval), run };
}

/** Only for intervals of a fixed length. */
function startsOf(zone: string, interval: Interval): Fill | undefined {
  const seconds = secondsOfInterval(interval);
  if (zone !== UTC || seconds === undefined || seconds > LAST_INSTANT) return undefined;
  return startOfSteps(Number(seconds), Number(LAST_INSTANT));
}

const startOf = (count: bigint, unit: Interval["unit"]) =>
  defineFunction(1, 1, (application) => startIn(dateTimeAt(application, 0).zone, { count, unit }));

export const dateFunctions: Functions = {
  now: defineFunction(0, 0, ({ now }) => ({ type: DATE_TIME, run: () => now })),
  today: defineFunction(0, 0, ({ now }) => ({ type: DATE, run: () => floorTo(now, DAY) })),
  todatetime: defineFunction(1, 2, (application) => {
    const { kind } = typeAt(application, 0, "Integer", "Double", "String", "DateTime", "Date");
    const zone = zoneAt(application, 1, UTC);
    const run = ([value]: readonly Value[]) => (kind === "String" ? parsedTime(asText(value), zone) : secondsOf(value));
    return { type: dateTime(zone), run };
  }),
  tounixtimestamp: defineFunction(1, 1, (application) => {
    typeAt(application, 0, "DateTime", "Date");
    return { type: UINT32, run: ([value]) => asInteger(value) };
  }),
  formatdatetime: defineFunction(2, 3, (application) => {
    const type = dateTimeAt(application, 0);
    typeAt(application, 1, "String");
    const zone = zoneAt(application, 2, type.zone);
    const format = formatOf(asText(constantAt(application, 1)));
    return { type: STRING, run: ([value]) => formattedTime(wallTime(asInteger(value), zone), format) };
  }),
  tostartofinterval: defineFunction(2, 3, (application) => {
    const type = dateTimeAt(application, 0);
    typeAt(application, 1, "Interval");
    const interval = asInterval(constantAt(application, 1));
    if (interval.count < 1n) throw invalidInput(`argument 2 in ${application.text} must be positive`);
    const zone = zoneAt(application, 2, type.zone);
    return startIn(zone, interval);
  }),
  tostartofyear: startOf(1n, "YEAR"),
  tostartofmonth: startOf(1n, "MONTH"),
  tostartofweek: defineFunction(1, 1, (application) => {
    const type = dateTimeAt(application, 0);
    return { type, run: ([value]) => within32Bits(startOfWeek(asInteger(value), type.zone)) };
  }),
  tostartofday: startOf(1n, "DAY"),
  tostartofhour: startOf(1n, "HOUR"),
  tostartoffifteenminutes: startOf(15n, "MINUTE"),
  tostartoftenminutes: startOf(10n, "MINUTE"),
  tostartoffiveminutes: startOf(5n, "MINUTE"),
  tostartofminute: startOf(1n, "MINUTE"),
  toyear: defineDatePart(UINT16, (wall) => partOf(wall, "YEAR")),
  tomonth: defineDatePart(UINT8, (wall) => partOf(wall, "MONTH")),
  todayofmonth: defineDatePart(UINT8, (wall) => partOf(wall, "DAY")),
  todayofweek: defineDatePart(UINT8, dayOfWeek),
  tohour: defineDatePart(UINT8, (wall) => partOf(wall, "HOUR")),
  tominute: defineDatePart(UINT8, (wall) => partOf(wall, "MINUTE")),
  tosecond: defineDatePart(UINT8, (wall) => partOf(wall, "SECOND")),
  toyyyymm: defineDatePart(UINT32, (wall) => partOf(wall, "YEAR") * 100n + partOf(wall, "MONTH")),
};
