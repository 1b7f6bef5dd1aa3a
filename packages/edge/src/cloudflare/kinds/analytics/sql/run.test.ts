import { describe, expect, test } from "vitest";
import { weatherQueries } from "./testing/weather.ts";

const { run, ask, data, refusal } = weatherQueries();

describe("a query", () => {
  test("returns all columns of the table", async () => {
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

  test("groups by an alias or an expression, and filters groups", async () => {
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

  test("orders, skips and limits rows", async () => {
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

  test("accepts an alias in WHERE, and times on both sides", async () => {
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

  test("selects from a subquery", async () => {
    const inner = "SELECT blob1 AS sky, count() AS n FROM weather GROUP BY sky";
    expect(await data(`SELECT max(n) AS most, sum(n) AS total FROM (${inner})`)).toEqual([{ most: "2", total: "4" }]);
    expect(await data(`SELECT * FROM (${inner}) WHERE n = 2`)).toEqual([{ sky: "rain", n: "2" }]);
  });

  test("accepts comments, quoted names, and keywords and functions in any case", async () => {
    expect(
      await data('select /* ; drop */ Count() as "n" -- what?\nfrom "other-set" where `blob1` = \'elsewhere\';'),
    ).toEqual([{ n: "1" }]);
  });

  test("returns column names that JavaScript objects would reorder or drop", async () => {
    const { body } = await run("SELECT 'a' AS \"__proto__\", 'b' AS \"2\", 'c' AS \"1\"");
    expect(body).toContain('"data":[{"__proto__":"a","2":"b","1":"c"}]');
  });
});

describe("a format", () => {
  const query = "SELECT index1, sum(_sample_interval) AS n, 1/0 AS x FROM weather GROUP BY index1 ORDER BY index1";
  test("JSON", async () => {
    for (const format of ["", "FORMAT JSON"]) {
      const { body, contentType } = await run(`${query} LIMIT 2 ${format}`);
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
    const { body } = await run(`${query} LIMIT 2 FORMAT JSONEachRow`);
    expect(body).toBe('{"index1":"a","n":"2","x":null}\n{"index1":"b","n":"10","x":null}\n');
  });

  test("TabSeparated", async () => {
    const { body } = await run(`${query} FORMAT TabSeparated`);
    expect(body).toBe("a\t2\tinf\nb\t10\tinf\nc\t2\tinf\n");
    const escaped = await run(
      "SELECT blob2, topK(blob1) AS k FROM weather WHERE index1 = 'c' GROUP BY blob2 FORMAT TabSeparated",
    );
    expect(escaped.body).toBe("it's\\t\"so\"\\n\t['snow']\n");
  });

  test("rejects an unknown format", async () => {
    expect(await refusal(`${query} FORMAT CSV`)).toBe("Input was invalid: unsupported format: CSV");
  });
});

test("SHOW lists tables and time zones", async () => {
  expect(await data("SHOW TABLES")).toEqual([{ dataset: "other-set" }, { dataset: "weather" }]);
  expect(await data("show timezone")).toEqual([{ timezone: "Etc/UTC" }]);
  expect(await data("SHOW TIMEZONES")).toContainEqual({ timezone: "America/New_York" });
});
