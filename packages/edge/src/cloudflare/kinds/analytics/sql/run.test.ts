import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Analytics } from "../data-points.ts";
import { writePoint } from "../testing/points.ts";
import { LIMITS, type Limits } from "./budget.ts";
import { runSql } from "./run.ts";

const NOW = Date.parse("2026-11-20T12:34:56.789Z");
const MINUTE = 60_000;

let directory: string;
let analytics: Analytics;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "analytics-sql-"));
  analytics = new Analytics(directory, { now: () => NOW });
  const points = [
    { at: NOW - 4 * MINUTE, index: "b", blobs: ["rain", "Zürich"], doubles: [4, 1], sampleInterval: 10 },
    { at: NOW - 3 * MINUTE, index: "a", blobs: ["sun", "Łódź"], doubles: [1, 0], sampleInterval: 1 },
    { at: NOW - 2 * MINUTE, index: "a", blobs: ["rain", "100%"], doubles: [2.5, 0], sampleInterval: 1 },
    {
      at: NOW - 90 * 24 * 60 * MINUTE,
      index: "c",
      blobs: ["snow", 'it\'s\t"so"\n'],
      doubles: [-3, 2],
      sampleInterval: 2,
    },
  ];
  for (const point of points) writePoint(analytics, "weather", point);
  writePoint(analytics, "other-set", { at: NOW, blobs: ["elsewhere"] });
});
afterAll(async () => {
  analytics.close();
  await rm(directory, { recursive: true });
});

async function ask(sql: string, limits: Partial<Limits> = {}) {
  const { body } = await runSql(sql, analytics, NOW, { ...LIMITS, ...limits });
  return JSON.parse(body) as { meta: { name: string; type: string }[]; data: Record<string, unknown>[]; rows: number };
}

async function data(sql: string): Promise<Record<string, unknown>[]> {
  return (await ask(sql)).data;
}

const refusal = (sql: string, limits: Partial<Limits> = {}) =>
  ask(sql, limits).then(
    () => "answered",
    (error: unknown) =>
      error instanceof Error && error.name === "SqlError" ? error.message : `broke: ${String(error)}`,
  );

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

  test("of no rows answers one row, unless there are groups", async () => {
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

describe("a query", () => {
  test("answers all columns of the table", async () => {
    const { meta, data: rows } = await ask("SELECT * FROM weather WHERE index1 = 'b'");
    expect(meta.map(({ name }) => name).slice(0, 5)).toEqual([
      "dataset",
      "timestamp",
      "_sample_interval",
      "index1",
      "blob1",
    ]);
    expect(meta).toHaveLength(44);
    expect(rows).toMatchObject([
      {
        dataset: "weather",
        timestamp: "2026-11-20 12:30:56",
        _sample_interval: 10,
        index1: "b",
        blob1: "rain",
        blob20: "",
        double1: 4,
        double20: 0,
      },
    ]);
  });

  test("groups by an alias, or by an expression, and filters groups", async () => {
    expect(
      await data(
        "SELECT blob1 AS sky, count() AS n FROM weather GROUP BY sky HAVING n > 1 AND max(double1) > 3 ORDER BY sky",
      ),
    ).toEqual([{ sky: "rain", n: "2" }]);
    expect(
      await data(
        "SELECT upper(blob1) AS sky, sum(double1) AS s FROM weather GROUP BY upper(blob1) ORDER BY s DESC, sky LIMIT 2",
      ),
    ).toEqual([
      { sky: "RAIN", s: 6.5 },
      { sky: "SUN", s: 1 },
    ]);
    expect(await data("SELECT count() AS n FROM weather GROUP BY index1, blob1 ORDER BY n")).toHaveLength(4);
  });

  test("orders, leaves out and limits", async () => {
    const of = (end: string) => ask(`SELECT double1 AS d FROM weather ORDER BY d ${end}`);
    expect((await of("")).data.map(({ d }) => d)).toEqual([-3, 1, 2.5, 4]);
    expect(await of("DESC LIMIT 2")).toMatchObject({
      data: [{ d: 4 }, { d: 2.5 }],
      rows: 2,
      rows_before_limit_at_least: 4,
    });
    expect((await of("LIMIT 2 OFFSET 1")).data.map(({ d }) => d)).toEqual([1, 2.5]);
    expect((await of("LIMIT ALL OFFSET 3")).data.map(({ d }) => d)).toEqual([4]);
    expect((await of("LIMIT 0")).data).toEqual([]);
    expect(await ask("SELECT blob1 FROM weather LIMIT 1")).toMatchObject({ data: [{ blob1: "snow" }], rows: 1 });
    expect(await data("SELECT blob1, count() FROM weather GROUP BY blob1 ORDER BY count() DESC LIMIT 1")).toEqual([
      { blob1: "rain", "count()": "2" },
    ]);
  });

  test("uses an alias in WHERE, and times on either side", async () => {
    expect(await data("SELECT index1 AS who FROM weather WHERE who = 'c'")).toEqual([{ who: "c" }]);
    const count = async (where: string) => (await data(`SELECT count() AS n FROM weather WHERE ${where}`))[0]?.n;
    expect(await count("timestamp > NOW() - INTERVAL '1' DAY")).toBe("3");
    expect(await count("NOW() - INTERVAL '1' DAY > timestamp")).toBe("1");
    expect(
      await count("timestamp >= toDateTime('2026-11-20 12:30:56') AND timestamp < toDateTime('2026-11-20 12:32:56')"),
    ).toBe("2");
    expect(await count("timestamp = toDateTime('2026-11-20 12:30:56')")).toBe("1");
    expect(
      await count("timestamp BETWEEN toDateTime('2026-11-20 12:30:56') AND toDateTime('2026-11-20 12:31:56')"),
    ).toBe("2");
    expect(await count("timestamp >= today()")).toBe("3");
    expect(await count("timestamp > now() OR double1 = -3")).toBe("1");
    expect(await count("bitTest(double2, 1)")).toBe("1");
  });

  test("selects from another", async () => {
    const inner = "SELECT blob1 AS sky, count() AS n FROM weather GROUP BY sky";
    expect(await data(`SELECT max(n) AS most, sum(n) AS total FROM (${inner})`)).toEqual([{ most: "2", total: "4" }]);
    expect(await data(`SELECT * FROM (${inner}) WHERE n = 2`)).toEqual([{ sky: "rain", n: "2" }]);
  });

  test("takes comments, quoted names, and any case of keywords and functions", async () => {
    expect(
      await data('select /* ; drop */ Count() as "n" -- what?\nfrom "other-set" where `blob1` = \'elsewhere\';'),
    ).toEqual([{ n: "1" }]);
  });

  test("keeps names that objects would not", async () => {
    const { body } = await runSql("SELECT 'a' AS \"__proto__\", 'b' AS \"2\", 'c' AS \"1\"", analytics, NOW);
    expect(body).toContain('"data":[{"__proto__":"a","2":"b","1":"c"}]');
  });
});

describe("a format", () => {
  const query = "SELECT index1, sum(_sample_interval) AS n, 1/0 AS x FROM weather GROUP BY index1 ORDER BY index1";
  test("JSON", async () => {
    for (const format of ["", "FORMAT JSON"]) {
      const { body, contentType } = await runSql(`${query} LIMIT 2 ${format}`, analytics, NOW);
      expect(contentType).toBe("application/json; charset=UTF-8");
      expect(JSON.parse(body)).toEqual({
        meta: [
          { name: "index1", type: "String" },
          { name: "n", type: "UInt64" },
          { name: "x", type: "Float64" },
        ],
        data: [
          { index1: "a", n: "2", x: null },
          { index1: "b", n: "10", x: null },
        ],
        rows: 2,
        rows_before_limit_at_least: 3,
      });
    }
  });

  test("JSONEachRow", async () => {
    const { body } = await runSql(`${query} LIMIT 2 FORMAT JSONEachRow`, analytics, NOW);
    expect(body).toBe('{"index1":"a","n":"2","x":null}\n{"index1":"b","n":"10","x":null}\n');
  });

  test("TabSeparated", async () => {
    const { body } = await runSql(`${query} FORMAT TabSeparated`, analytics, NOW);
    expect(body).toBe("a\t2\tinf\nb\t10\tinf\nc\t2\tinf\n");
    const escaped = await runSql(
      "SELECT blob2, topK(blob1) AS k FROM weather WHERE index1 = 'c' GROUP BY blob2 FORMAT TabSeparated",
      analytics,
      NOW,
    );
    expect(escaped.body).toBe("it's\\t\"so\"\\n\t['snow']\n");
  });

  test("another is refused", async () => {
    expect(await refusal(`${query} FORMAT CSV`)).toBe("Input was invalid: unsupported format: CSV");
  });
});

test("tables and time zones are shown", async () => {
  expect(await data("SHOW TABLES")).toEqual([{ dataset: "other-set" }, { dataset: "weather" }]);
  expect(await data("show timezone")).toEqual([{ timezone: "Etc/UTC" }]);
  expect(await data("SHOW TIMEZONES")).toContainEqual({ timezone: "America/New_York" });
});

describe("is refused:", () => {
  test.each([
    // Error texts of the live service, according to public reports.
    [
      "SELECT sum(if(blob1 = 'x', _sample_interval * double1, 0)) AS s FROM weather",
      "the 2nd and 3rd arguments to IF() function must have the same type but instead had Double and Integer",
    ],
    ["SELECT max(blob5) AS m FROM weather", 'cannot use the String type as argument 1 in max("blob5")'],
    [
      "SELECT min(formatDateTime(timestamp, '%Y')) AS m FROM weather",
      "cannot use the String type as argument 1 in min(",
    ],
    ["SELECT count() AS n FROM weather WHERE blob1 LIKE CONCAT('a', '%')", "unknown function call: CONCAT"],
    ["SELECT uniq(blob1) AS n FROM weather", "unknown function call: uniq"],
    ["SELECT SUM(CASE WHEN blob3 LIKE '5%' THEN 1 ELSE 0 END) AS n FROM weather", "unsupported expression type: CASE"],
    ["SELECT blob1 FROM weather WHERE blob1 IN ()", "sql parser error: Expected an expression:, found: )"],
    [
      "SELECT toUnixTimestamp(timestamp) AS ts FROM weather ORDER BY timestamp",
      'unable to find type of column: "timestamp"',
    ],
    [
      "SELECT blob1 AS host FROM weather GROUP BY host ORDER BY SUM(_sample_interval) DESC",
      'unable to find type of column: "_sample_interval"',
    ],
    ["SELECT double1 AS a, a + 1 AS b FROM weather", 'unable to find type of column: "a"'],
    [`SELECT '${"x".repeat(10_000)}' AS x`, "SQL was excessively long, exceeded maximum length: 10000"],
    ["SELECT blob21 FROM weather", 'unable to find type of column: "blob21"'],
    ["SELECT constructor FROM weather", 'unable to find type of column: "constructor"'],
    ["SELECT blob1", 'unable to find type of column: "blob1"'],
    ["SELECT constructor(1) AS x", "unknown function call: constructor"],
    ["SELECT blob1 FROM nowhere", "unknown table: nowhere"],
    ["SELECT blob1 FROM __proto__", "unknown table: __proto__"],
    ["SELECT blob1 AS x, blob2 AS x FROM weather", "two columns have the name x"],
    ["SELECT blob1 FROM weather WHERE timestamp > '2026-01-01 00:00:00'", "cannot compare DateTime with String"],
    ["SELECT blob1 FROM weather WHERE blob1", "the WHERE clause must be a condition, not String"],
    ["SELECT blob1 + 1 AS x FROM weather", "cannot use the String type as argument 1"],
    ["SELECT now() - now() AS x", "cannot use the DateTime type as argument 1"],
    ["SELECT quantileExactWeighted(1.5)(double1, _sample_interval) AS x FROM weather", "the level of a quantile"],
    ["SELECT quantileExactWeighted(0.5)(double1, double2) AS x FROM weather", "cannot use the Double type as a weight"],
    ["SELECT toDateTime('2022-12-01T16:17:00Z') AS t", "cannot parse string as DateTime"],
    ["SELECT toDateTime('2022-12-01 16:17:00', 'Mars/Olympus') AS t", "unknown timezone: Mars/Olympus"],
    ["SELECT toDateTime('2022-12-01 16:17:00', '+01:00') AS t", "unknown timezone: +01:00"],
    ["SELECT toStartOfInterval(timestamp, INTERVAL '0' DAY) AS t FROM weather", "must be positive"],
    ["SELECT now() - INTERVAL '999999999' YEAR AS t", "DateTime out of range"],
    ["SELECT intDiv(1, 0) AS x", "Division by zero"],
    ["SELECT blob1, count() AS n FROM weather", 'column "blob1" is neither grouped by nor in an aggregate function'],
    ["SELECT sum(count()) AS n FROM weather", "may not be used here"],
    ["SELECT blob1 FROM weather WHERE count() > 1", "may not be used here"],
    ["SELECT count(*) AS n FROM weather", "unsupported function argument"],
    ["SELECT count(blob1) AS n FROM weather", "unsupported function argument"],
    ["SELECT max(DISTINCT double1) AS n FROM weather", "unsupported: DISTINCT"],
    ["SELECT topK(0)(blob1) AS n FROM weather", "the parameter must be a whole number"],
    // Unsupported syntax
    ["SELECT DISTINCT blob1 FROM weather", "unsupported: SELECT DISTINCT"],
    ["SELECT blob1 FROM weather ORDER BY 1", "unsupported: ORDER BY a position"],
    ["SELECT blob1 FROM weather, weather", "found: ,"],
    ["SELECT blob1 FROM weather w", "found: w"],
    ["SELECT blob1 FROM weather JOIN weather", "found: JOIN"],
    ["SELECT blob1 FROM weather UNION SELECT blob1 FROM weather", "found: UNION"],
    ["SELECT (SELECT 1) AS x", "unsupported expression type: a query within an expression"],
    ["SELECT blob1 FROM weather WHERE blob1 IN (SELECT 1)", "Expected an expression:, found: SELECT"],
    ["SELECT blob1 FROM weather WHERE blob1 IS NULL", "unsupported expression type: IS"],
    ["SELECT NULL AS x", "unsupported expression type: NULL"],
    ["SELECT 1 AS x LIMIT 1, 2", "found: ,"],
    ["SELECT INTERVAL 1 DAY AS x", "INTERVAL '1' DAY"],
    ["", "Expected SELECT or SHOW, found: EOF"],
    // Access to other data
    ["SELECT 1 AS x; SELECT 2 AS x", "Expected end of statement, found: SELECT"],
    ["SELECT 1 AS x;;", "found: ;"],
    ["DROP TABLE weather", "found: DROP"],
    ["INSERT INTO weather VALUES (1)", "found: INSERT"],
    ["DELETE FROM data_points", "found: DELETE"],
    ["PRAGMA table_info(data_points)", "found: PRAGMA"],
    ["ATTACH DATABASE '/etc/passwd' AS x", "found: ATTACH"],
    ["SELECT name FROM sqlite_master", "unknown table: sqlite_master"],
    ["SELECT name FROM system.tables", "Unexpected character: ."],
    ["SELECT dataset FROM data_points", "unknown table: data_points"],
    ["SELECT rowid FROM weather", 'unable to find type of column: "rowid"'],
    ["SELECT load_extension('/tmp/x.so') AS x", "unknown function call: load_extension"],
    ["SELECT writefile('/tmp/x', 'y') AS x", "unknown function call: writefile"],
    ["SELECT readfile('/etc/passwd') AS x", "unknown function call: readfile"],
    ["SELECT file('/etc/passwd') AS x", "unknown function call: file"],
    ["SELECT * FROM url('http://127.0.0.1/')", "found: ("],
    ["SELECT * FROM numbers(10)", "found: ("],
    ["SELECT 1 AS x INTO OUTFILE '/tmp/x'", "found: INTO"],
    ["SELECT 1 AS x SETTINGS max_threads = 1", "found: SETTINGS"],
    ["SELECT 'a", "Unterminated string literal"],
    ["SELECT 'a\\' AS x", "no backslash in quotes"],
    ["SELECT 1 /* AS x", "multi-line comment"],
    ["SELECT 1 AS x \0", "Unexpected character"],
    ["SELECT blob1 FROM \"other-set\" -- '\nWHERE ' = '", "the WHERE clause must be a condition"],
  ])("%s", async (sql, reason) => {
    const said = await refusal(sql);
    expect(said).toMatch(/^Input was invalid: /);
    expect(said).toContain(reason);
  });
});

describe("is bounded:", () => {
  test("rows of an answer, of which none is cut short", async () => {
    expect(await refusal("SELECT blob1 FROM weather", { rows: 3 })).toBe("the answer has more than 3 rows: use LIMIT");
    expect(await refusal("SELECT blob1 FROM weather GROUP BY blob1", { rows: 2 })).toBe(
      "the answer has more than 2 rows: use LIMIT",
    );
    expect((await ask("SELECT blob1 FROM weather LIMIT 3", { rows: 3 })).rows).toBe(3);
  });

  test("what is kept: groups, distinct values, rows", async () => {
    for (const sql of [
      "SELECT timestamp, blob1, blob2 FROM weather",
      "SELECT blob1, blob2, index1 FROM weather GROUP BY blob1, blob2, index1 LIMIT 1",
      "SELECT count(DISTINCT blob2) AS n FROM weather",
      "SELECT topK(blob2) AS k FROM weather",
      "SELECT quantileExactWeighted(0.5)(double1, _sample_interval) AS q FROM weather",
    ])
      expect(await refusal(sql, { bytes: 130 })).toMatch("too much memory");
  });

  test("time", async () => {
    expect(await refusal("SELECT blob1 FROM weather", { milliseconds: -1 })).toBe("the query took too long");
  });

  test("texts that functions make of one another", async () => {
    const repeat = "{0}".repeat(100);
    const nested = [1, 2, 3, 4, 5, 6].reduce((inner) => `format('${repeat}', ${inner})`, "'x'");
    expect(await refusal(`SELECT ${nested} AS x`)).toMatch("texts of 100000 characters");
    const hexes = Array.from({ length: 30 }, () => 0).reduce<string>((inner) => `bin(${inner})`, "'x'");
    expect(await refusal(`SELECT ${hexes} AS x`)).toMatch("texts of 100000 characters");
  });

  test("parentheses and operators", async () => {
    expect(await refusal(`SELECT ${"(".repeat(4_000)}1${")".repeat(4_000)} AS x`)).toMatch("recursion limit exceeded");
    expect(await refusal(`SELECT ${"-".repeat(1)} ${"- ".repeat(4_000)}1 AS x`)).toMatch("recursion limit exceeded");
    expect(await refusal(`SELECT ${"NOT ".repeat(2_000)}true AS x`)).toMatch("recursion limit exceeded");
    expect(await refusal(`SELECT 1${"+1".repeat(4_900)} AS x`)).toMatch("1000 operators");
    expect((await ask(`SELECT 1${"+1".repeat(900)} AS x`)).data).toEqual([{ x: "901" }]);
    expect(await refusal(`SELECT 1 FROM ${"(SELECT 1 AS x FROM ".repeat(400)} weather ${")".repeat(400)}`)).toMatch(
      "recursion",
    );
  });

  test("a pattern that fits in many ways takes no longer for it", async () => {
    const pattern = `${"%a".repeat(2_000)}b`;
    expect(await data(`SELECT '${"a".repeat(4_000)}' LIKE '${pattern}' AS x`)).toEqual([{ x: 0 }]);
  });
});
