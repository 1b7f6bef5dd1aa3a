import { describe, expect, test } from "vitest";
import { weatherQueries } from "./testing/weather.ts";

const { ask, data, refusal } = weatherQueries();

describe("rejects", () => {
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
    ["SELECT 'a\\' AS x", "does not support backslashes in quotes"],
    ["SELECT 1 /* AS x", "multi-line comment"],
    ["SELECT 1 AS x \0", "Unexpected character"],
    ["SELECT blob1 FROM \"other-set\" -- '\nWHERE ' = '", "the WHERE clause must be a condition"],
  ])("%s", async (sql, reason) => {
    const said = await refusal(sql);
    expect(said).toMatch(/^Input was invalid: /);
    expect(said).toContain(reason);
  });
});

describe("limits", () => {
  test("the rows of a result instead of truncating it", async () => {
    expect(await refusal("SELECT blob1 FROM weather", { rows: 3 })).toBe("the result has more than 3 rows: use LIMIT");
    expect(await refusal("SELECT blob1 FROM weather GROUP BY blob1", { rows: 2 })).toBe(
      "the result has more than 2 rows: use LIMIT",
    );
    expect((await ask("SELECT blob1 FROM weather LIMIT 3", { rows: 3 })).rows).toBe(3);
  });

  test("the memory of groups, distinct values and rows", async () => {
    for (const sql of [
      "SELECT timestamp, blob1, blob2 FROM weather",
      "SELECT blob1, blob2, index1 FROM weather GROUP BY blob1, blob2, index1 LIMIT 1",
      "SELECT count(DISTINCT blob2) AS n FROM weather",
      "SELECT topK(blob2) AS k FROM weather",
      "SELECT quantileExactWeighted(0.5)(double1, _sample_interval) AS q FROM weather",
    ])
      expect(await refusal(sql, { bytes: 130 })).toMatch("memory limit");
  });

  test("the time of a query", async () => {
    expect(await refusal("SELECT blob1 FROM weather", { milliseconds: -1 })).toBe("the query exceeded the time limit");
  });

  test("the length of texts from nested functions", async () => {
    const repeat = "{0}".repeat(100);
    const nested = [1, 2, 3, 4, 5, 6].reduce((inner) => `format('${repeat}', ${inner})`, "'x'");
    expect(await refusal(`SELECT ${nested} AS x`)).toMatch("texts to 100000 characters");
    const hexes = Array.from({ length: 30 }, () => 0).reduce<string>((inner) => `bin(${inner})`, "'x'");
    expect(await refusal(`SELECT ${hexes} AS x`)).toMatch("texts to 100000 characters");
  });

  test("the number of parentheses and operators", async () => {
    expect(await refusal(`SELECT ${"(".repeat(4_000)}1${")".repeat(4_000)} AS x`)).toMatch("recursion limit exceeded");
    expect(await refusal(`SELECT ${"-".repeat(1)} ${"- ".repeat(4_000)}1 AS x`)).toMatch("recursion limit exceeded");
    expect(await refusal(`SELECT ${"NOT ".repeat(2_000)}true AS x`)).toMatch("recursion limit exceeded");
    expect(await refusal(`SELECT 1${"+1".repeat(4_900)} AS x`)).toMatch("1000 operators");
    expect((await ask(`SELECT 1${"+1".repeat(900)} AS x`)).data).toEqual([{ x: "901" }]);
    expect(await refusal(`SELECT 1 FROM ${"(SELECT 1 AS x FROM ".repeat(400)} weather ${")".repeat(400)}`)).toMatch(
      "recursion",
    );
  });

  test("the time of an ambiguous LIKE pattern", async () => {
    const pattern = `${"%a".repeat(2_000)}b`;
    expect(await data(`SELECT '${"a".repeat(4_000)}' LIKE '${pattern}' AS x`)).toEqual([{ x: 0 }]);
  });
});
