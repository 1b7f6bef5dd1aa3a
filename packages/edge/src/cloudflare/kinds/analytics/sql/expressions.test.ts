import { describe, expect, test } from "vitest";
import { weatherQueries } from "./testing/weather.ts";

const { ask, data } = weatherQueries();

describe("an expression", () => {
  const T = "toDateTime('2025-10-27 16:55:25')";
  test.each<readonly [string, unknown, string]>([
    ["42", 42, "UInt8"],
    ["-42", -42, "Int8"],
    ["4.2", 4.2, "Float64"],
    [
      "'so long, and thanks for ''all'' the fish; -- really'",
      "so long, and thanks for 'all' the fish; -- really",
      "String",
    ],
    ["true", true, "Bool"],
    ["1 + 2 * 3 - 4", "3", "Int64"],
    ["(1 + 2) * 3", 9, "UInt32"],
    ["7 / 2", 3.5, "Float64"],
    ["1 / 0", null, "Float64"],
    ["7 % 4", 3, "UInt8"],
    ["-(3)", -3, "Int8"],
    ["1 = 1.0", 1, "UInt8"],
    ["1 <> 1 OR 2 != 3 AND NOT 1 > 2", 1, "UInt8"],
    ["'a' < 'b' AND 'b' >= 'b'", 1, "UInt8"],
    ["'x' IN ('a', 'x')", 1, "UInt8"],
    ["3 NOT IN (1, 2.5, 3)", 0, "UInt8"],
    ["2 BETWEEN 1 AND 2 AND 3 NOT BETWEEN 1 AND 2", 1, "UInt8"],
    [
      "'error: x' LIKE 'error%' AND 'log12' LIKE 'log__' AND 'A.JPG' ILIKE '%.jpg' AND 'A.JPG' NOT LIKE '%.jpg'",
      1,
      "UInt8",
    ],
    ["'aXbXc' LIKE '%X%X%' AND 'ab' NOT LIKE '_' AND '' LIKE '%' AND 'a.c' NOT LIKE 'a.d'", 1, "UInt8"],
    // Conditional functions evaluate only the chosen branch
    ["if(1 > 2, 'FREEZING', 'NOT FREEZING')", "NOT FREEZING", "String"],
    ["IF(true, 300, 1)", 300, "UInt16"],
    ["if(0 = 1, intDiv(1, 0), 7)", 7, "UInt8"],
    ["intDiv(7, 2)", 3, "UInt8"],
    ["intDiv(-7, 2)", -3, "Int8"],
    ["round(log(8), 2)", 2.08, "Float64"],
    ["ln(1)", 0, "Float64"],
    ["pow(3, 2)", 9, "Float64"],
    ["round(5.5)", 6, "Float64"],
    ["round(3.14, 1)", 3.1, "Float64"],
    ["floor(3.19, 1)", 3.1, "Float64"],
    ["ceil(3.14, 1)", 3.2, "Float64"],
    ["floor(1234, -2)", 1200, "UInt16"],
    ["bitAnd(1, 3)", 1, "UInt8"],
    ["bitOr(1, 2)", 3, "UInt8"],
    ["bitXor(3, 3)", 0, "UInt8"],
    ["bitNot(1)", 254, "UInt8"],
    ["bitCount(7)", 3, "UInt8"],
    ["bitCount(1.0)", 10, "UInt8"],
    ["bitHammingDistance(3, 0)", 2, "UInt8"],
    ["bitRotateLeft(128, 1)", 1, "UInt8"],
    ["bitRotateRight(1, 1)", 128, "UInt8"],
    ["bitShiftLeft(128, 1)", 0, "UInt8"],
    ["bitShiftRight(12, 2)", 3, "UInt8"],
    ["bitTest(3, 1)", 1, "UInt8"],
    ["bitTest(2.9, 0)", 0, "UInt8"],
    ["length('Zürich')", "6", "UInt64"],
    ["empty('')", 1, "UInt8"],
    ["lower('ÄB')", "Äb", "String"],
    ["lowerUTF8('ÄB')", "äb", "String"],
    ["toLower('ÄB')", "äb", "String"],
    ["upper('äb')", "äB", "String"],
    ["upperUTF8('äb')", "ÄB", "String"],
    ["startsWith('prefix ...', 'prefix')", 1, "UInt8"],
    ["endsWith('prefix suffix', 'prefix')", 0, "UInt8"],
    ["position(':' IN 'hello: world')", "6", "UInt64"],
    ["position('x' IN 'hello')", "0", "UInt64"],
    ["substring('hello world', 6)", " world", "String"],
    ["substring('hello: world', 1, position(':' IN 'hello: world')-1)", "hello", "String"],
    [`format('{} of {}: {}', 1, 2.5, ${T})`, "1 of 2.5: 2025-10-27 16:55:25", "String"],
    ["format('{1}{0}', 'a', 'b')", "ba", "String"],
    ["hex(1)", "01", "String"],
    ["hex('abc')", "616263", "String"],
    ["bin(5)", "00000101", "String"],
    ["toUInt8('255')", 255, "UInt8"],
    ["toUInt32(4.9)", 4, "UInt32"],
    [`toUInt32(${T})`, 1761584125, "UInt32"],
    ["intDiv(toUInt32(toDateTime(1761584125)), 300) * 300", "1761584100", "UInt64"],
    ["now()", "2026-11-20 12:34:56", "DateTime"],
    ["today()", "2026-11-20", "Date"],
    ["NOW() - INTERVAL '30' DAY", "2026-10-21 12:34:56", "DateTime"],
    ["toDateTime('2024-03-31 10:00:00') - INTERVAL '1' MONTH", "2024-02-29 10:00:00", "DateTime"],
    ["now() + INTERVAL '1' YEAR", "2027-11-20 12:34:56", "DateTime"],
    ["toDateTime(355924804)", "1981-04-12 12:00:04", "DateTime"],
    ["toDateTime('355924804')", "1981-04-12 12:00:04", "DateTime"],
    ["toUnixTimestamp(toDateTime('1981-04-12 12:00:04'))", 355924804, "UInt32"],
    ["toUnixTimestamp(toDateTime('2022-12-01 16:17:00', 'America/New_York'))", 1669929420, "UInt32"],
    ["formatDateTime(toDateTime('2022-12-01 23:17:00', 'America/New_York'), '%Y-%m-%d')", "2022-12-01", "String"],
    [
      "formatDateTime(toDateTime('2022-12-01 23:17:00', 'America/New_York'), '%Y-%m-%d', 'Etc/UTC')",
      "2022-12-02",
      "String",
    ],
    [
      `formatDateTime(${T}, '%d.%m.%y %H:%i:%S %% %j %a %W %M %p %I')`,
      "27.10.25 16:55:25 % 300 Mon Monday October PM 04",
      "String",
    ],
    [`toYear(${T})`, 2025, "UInt16"],
    [`toMonth(${T})`, 10, "UInt8"],
    [`toDayOfMonth(${T})`, 27, "UInt8"],
    ["toDayOfWeek(toDateTime('2025-11-02 00:00:00'))", 7, "UInt8"],
    [`toHour(${T})`, 16, "UInt8"],
    [`toMinute(${T})`, 55, "UInt8"],
    [`toSecond(${T})`, 25, "UInt8"],
    ["extract(SECOND from toDateTime('2022-06-06 11:30:15'))", 15, "UInt16"],
    [`toStartOfInterval(${T}, INTERVAL '15' MINUTE)`, "2025-10-27 16:45:00", "DateTime"],
    [`toStartOfInterval(${T}, INTERVAL '1' DAY)`, "2025-10-27 00:00:00", "DateTime"],
    [`toStartOfInterval(${T}, INTERVAL '3' MONTH)`, "2025-10-01 00:00:00", "DateTime"],
    [
      "toStartOfInterval(toDateTime('2025-10-27 02:00:00'), INTERVAL '1' DAY, 'America/New_York')",
      "2025-10-26 00:00:00",
      "DateTime('America/New_York')",
    ],
    // Days of 25 and 23 hours
    [
      "toStartOfInterval(toDateTime('2026-11-01 23:30:00', 'America/New_York'), INTERVAL '1' DAY) = toDateTime('2026-11-01 04:00:00')",
      1,
      "UInt8",
    ],
    ["toUnixTimestamp(toDateTime('2026-03-08 12:00:00', 'America/New_York') + INTERVAL '1' DAY)", 1773072000, "UInt32"],
    ["formatDateTime(toDateTime(0), '%T', 'Asia/Kathmandu')", "05:30:00", "String"],
    // Beyond 32 bits of seconds
    ["toDateTime(5000000000)", "2106-02-07 06:28:15", "DateTime"],
    [
      "toDateTime('2024-03-10 02:30:00', 'America/New_York') - INTERVAL '100000' YEAR",
      "1969-12-31 19:00:00",
      "DateTime('America/New_York')",
    ],
    [`toStartOfYear(${T})`, "2025-01-01 00:00:00", "DateTime"],
    [`toStartOfMonth(${T})`, "2025-10-01 00:00:00", "DateTime"],
    ["toStartOfWeek(toDateTime('2025-10-29 00:00:00'))", "2025-10-27 00:00:00", "DateTime"],
    [`toStartOfDay(${T})`, "2025-10-27 00:00:00", "DateTime"],
    [`toStartOfHour(${T})`, "2025-10-27 16:00:00", "DateTime"],
    [`toStartOfFifteenMinutes(${T})`, "2025-10-27 16:45:00", "DateTime"],
    [`toStartOfTenMinutes(${T})`, "2025-10-27 16:50:00", "DateTime"],
    [`toStartOfFiveMinutes(${T})`, "2025-10-27 16:55:00", "DateTime"],
    [`toStartOfMinute(${T})`, "2025-10-27 16:55:00", "DateTime"],
    [`toYYYYMM(${T})`, 202510, "UInt32"],
  ])("%s is %j", async (expression, value, type) => {
    const { meta, data: rows } = await ask(`SELECT ${expression} AS v`);
    expect(rows).toEqual([{ v: value }]);
    expect(meta).toEqual([{ name: "v", type }]);
  });
});

describe("an aggregate function", () => {
  // Oldest first: snow -3 (weight 2), rain 4 (10), sun 1 (1), rain 2.5 (1).
  test.each<readonly [string, unknown, string]>([
    ["count()", "4", "UInt64"],
    ["count(DISTINCT blob1)", "3", "UInt64"],
    ["sum(_sample_interval)", "14", "UInt64"],
    ["SUM(_sample_interval * double1)", 37.5, "Float64"],
    ["SUM(_sample_interval * double1) / SUM(_sample_interval)", 37.5 / 14, "Float64"],
    ["sum(DISTINCT double2)", 3, "Float64"],
    ["avg(double1)", 1.125, "Float64"],
    ["avg(DISTINCT double2)", 1, "Float64"],
    ["min(double1)", -3, "Float64"],
    ["max(timestamp)", "2026-11-20 12:32:56", "DateTime"],
    ["quantileExactWeighted(0.5)(double1, _sample_interval)", 4, "Float64"],
    ["quantileExactWeighted(0.2)(double1, _sample_interval)", 1, "Float64"],
    ["quantileWeighted(0.1, double1, _sample_interval)", -3, "Float64"],
    ["argMax(blob1, double1)", "rain", "String"],
    ["argMin(blob1, double1)", "snow", "String"],
    ["first_value(blob1)", "snow", "String"],
    ["last_value(blob2)", "100%", "String"],
    ["topK(1)(blob1)", ["rain"], "Array(String)"],
    ["topKWeighted(2)(blob1, _sample_interval)", ["rain", "snow"], "Array(String)"],
    ["countIf(double1 > 2)", "2", "UInt64"],
    ["sumIf(double1, blob1 = 'rain')", 6.5, "Float64"],
    ["avgIf(double1, blob1 = 'rain')", 3.25, "Float64"],
    ["sum(if(blob1 = 'rain', _sample_interval, 0))", "11", "UInt64"],
    ["length(argMax(blob1, double1)) + count()", "8", "UInt64"],
  ])("%s is %j", async (expression, value, type) => {
    const { meta, data: rows } = await ask(`SELECT ${expression} AS v FROM weather`);
    expect(rows).toEqual([{ v: value }]);
    expect(meta).toEqual([{ name: "v", type }]);
  });

  test("returns one row for no rows, but none with groups", async () => {
    const none = "FROM weather WHERE blob1 = 'hail'";
    expect(
      await data(
        `SELECT count() AS n, sum(double1) AS s, avg(double1) AS a, max(timestamp) AS t, topK(blob1) AS k ${none}`,
      ),
    ).toEqual([{ n: "0", s: 0, a: null, t: "1970-01-01 00:00:00", k: [] }]);
    expect(await ask(`SELECT index1, count() AS n ${none} GROUP BY index1`)).toMatchObject({ data: [], rows: 0 });
    expect(await ask(`SELECT index1 ${none}`)).toMatchObject({
      meta: [{ name: "index1", type: "String" }],
      data: [],
      rows: 0,
    });
  });
});
