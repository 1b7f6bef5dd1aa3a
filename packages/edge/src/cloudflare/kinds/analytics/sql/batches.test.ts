/** Queries over blocks and batches return the same as row-by-row evaluation. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Analytics } from "../data-points.ts";
import { addManyPoints } from "../testing/many-points.ts";
import { type WrittenPoint, writePoint } from "../testing/points.ts";
import { formatTable } from "./answers/answer.ts";
import { Budget, LIMITS } from "./budget.ts";
import { rowsOf } from "./compiling/vectors.ts";
import { parseStatement } from "./reading/statement.ts";
import { runSql } from "./run.ts";
import { datasetTable } from "./running/dataset.ts";
import { runSelect } from "./running/select.ts";
import type { Source } from "./running/source.ts";

const NOW = Date.parse("2026-11-20T12:34:56.789Z");
const DAY = 86_400_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "analytics-batches-"));
});
afterEach(() => rm(directory, { recursive: true }));

const text = fc.constantFrom("", "a", "b", "acme", "Łódź", "😀", "it's", "a\tb");
const double = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 1 / 3, 255, 256, 65_536, 2 ** 32, 2 ** 53, 1e300, -1e300, Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -300, max: 300 }),
);
const point = fc.record({
  /** Milliseconds since the previous point. */
  gap: fc.constantFrom(0, 1, 400, 999, 60_000, 3_600_000, DAY),
  index: text,
  blobs: fc.array(text, { maxLength: 4 }),
  doubles: fc.array(double, { maxLength: 4 }),
  sampleInterval: fc.constantFrom(1, 1, 1, 2, 10, 4_000_000_000),
});

/** Swaps neighbours sometimes. */
function inTime(points: readonly (Omit<WrittenPoint, "at"> & { gap: number })[]): WrittenPoint[] {
  let at = NOW - points.reduce((sum, { gap }) => sum + gap, 0);
  const written = points.map(({ gap, ...rest }) => {
    at += gap;
    return { ...rest, at };
  });
  for (let n = 0; n + 1 < written.length; n += 5) written.splice(n, 2, ...written.slice(n, n + 2).toReversed());
  return written;
}

const atom = fc.constantFrom(
  "blob1 = 'a'",
  "'a' != blob2",
  "blob1 IN ('a', 'Łódź', '')",
  "index1 NOT IN ('acme', 'b')",
  "blob1 < 'b'",
  "blob1 = blob2",
  "blob2 LIKE '%a%'",
  "lower(blob1) = 'acme'",
  "double1 > 0",
  "double1 >= double2",
  "double1 / double2 > 1",
  "double1 / double2 != double2 / double1",
  "double1 IN (0.0, 1.0, 0.5)",
  "double2 BETWEEN -1 AND 256",
  "_sample_interval = 1",
  "_sample_interval * 2 < 100",
  "_sample_interval IN (1, 10)",
  "_sample_interval % 2 = 0",
  "-double1 < double3",
  "double1 % 7 <= 3.5",
  "timestamp > toDateTime('2026-11-19 00:00:00')",
  "timestamp <= NOW() - INTERVAL '1' HOUR",
  "toStartOfDay(timestamp) = toDateTime('2026-11-20 00:00:00')",
  "toHour(timestamp) < 12",
  "if(blob1 = 'a', double1, double2) > 0",
  "(blob1 = 'a') = (blob2 = 'a')",
  "if(blob1 = 'zz', intDiv(1, 0), 1) = 1",
  "double1 > 18014398509481985",
  "(_sample_interval AND 1 < 2) = (blob1 = 'a')",
  "(bitAnd(1, 2) OR _sample_interval) = (3 AND blob1 = 'a')",
  "_sample_interval",
  "1 < 2",
  "false",
);
const condition = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    atom,
    fc.tuple(tie("condition"), tie("condition")).map(([a, b]) => `(${a} AND ${b})`),
    fc.tuple(tie("condition"), tie("condition")).map(([a, b]) => `(${a} OR ${b})`),
    tie("condition").map((of) => `(NOT ${of})`),
  ),
})).condition;

const key = fc.constantFrom(
  "index1",
  "blob1",
  "blob2",
  "double1",
  "_sample_interval",
  "timestamp",
  "upper(blob1)",
  "blob1 = 'a'",
  "toStartOfInterval(timestamp, INTERVAL '1' DAY)",
  "toStartOfInterval(timestamp, INTERVAL '7' HOUR)",
  "toStartOfInterval(timestamp, INTERVAL '1' MONTH)",
  "toStartOfDay(toDateTime(timestamp, 'Europe/Berlin'))",
);
const aggregate = fc.oneof(
  fc.constantFrom(
    "count()",
    "count(DISTINCT blob2)",
    "sum(double1)",
    "sum(_sample_interval)",
    "sum(_sample_interval * 3)",
    "sum(_sample_interval * double1)",
    "sum(double1 + double2 - double3 / 3)",
    "avg(double1)",
    "avg(_sample_interval)",
    "avg(double1 / double2)",
    "min(double1)",
    "max(double2)",
    "min(double1 / double2)",
    "max(timestamp)",
    "min(_sample_interval)",
    "argMax(blob1, double1)",
    "argMin(double1, timestamp)",
    "first_value(blob2)",
    "last_value(double2)",
    "topK(2)(blob1)",
    "quantileExactWeighted(0.5)(double1, _sample_interval)",
    "sum(double2) / count()",
  ),
  condition.chain((of) =>
    fc.constantFrom(
      `sum(if(${of}, _sample_interval * double1, 0.0))`,
      `sum(if(${of}, 2, 300))`,
      `countIf(${of})`,
      `sumIf(double1, ${of})`,
      `avgIf(double2, ${of})`,
      `sumIf(_sample_interval, ${of})`,
    ),
  ),
);

const where = fc.option(condition, { nil: undefined }).map((of) => (of === undefined ? "" : ` WHERE ${of}`));
const grouped = fc
  .record({
    keys: fc.uniqueArray(key, { maxLength: 3 }),
    aggregates: fc.uniqueArray(aggregate, { minLength: 1, maxLength: 4 }),
    where,
    having: fc.constantFrom("", "", " HAVING count() > 1"),
    end: fc.constantFrom("", " ORDER BY a0", " LIMIT 3 OFFSET 1"),
  })
  .map(({ keys, aggregates, where: condition_, having, end }) => {
    const columns = [...keys.map((of, n) => `${of} AS k${n}`), ...aggregates.map((of, n) => `${of} AS a${n}`)];
    const by = keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, n) => `k${n}`).join(", ")}`;
    // The order of `topK` results with equal counts is undefined.
    const order = aggregates[0]?.startsWith("topK") ? "" : end;
    return `SELECT ${columns.join(", ")} FROM weather${condition_}${by}${having}${order} FORMAT TabSeparated`;
  });
const plain = fc
  .tuple(fc.constantFrom("*", "timestamp, double1 * 2 AS d, lower(blob1) AS t"), where, fc.constantFrom("", " LIMIT 4"))
  .map(([columns, of, end]) => `SELECT ${columns} FROM weather${of}${end} FORMAT TabSeparated`);

async function byRows(sql: string, analytics: Analytics): Promise<string> {
  const { query, format } = parseStatement(sql);
  if (query.kind !== "select") throw new Error("no SELECT");
  const budget = new Budget(LIMITS);
  const table = (name: string): Source => {
    const source = datasetTable(analytics, name);
    if ("rows" in source) return source;
    const { columns, batches } = source;
    return {
      columns,
      rows: function* (needed, period) {
        const types = needed.flatMap((column) => columns.get(column) ?? []);
        for (const batch of batches(needed, period)) yield* rowsOf(batch, types);
      },
    };
  };
  const answer = await runSelect(query, { table, now: BigInt(Math.floor(NOW / 1000)), budget });
  return (await formatTable(format, answer, budget)).body;
}

const reported = (answer: Promise<string>) => answer.catch((error: unknown) => `refused: ${String(error)}`);

test("random queries return the same as row by row", async () => {
  let run = 0;
  const run1 = async (points: readonly WrittenPoint[], queries: readonly string[]) => {
    run += 1;
    const open = (name: string, blockPoints: number) =>
      new Analytics(join(directory, `${name}-${run}`), { now: () => NOW, blockPoints });
    const [rows, blocks] = [open("rows", 1_000), open("blocks", 8)];
    for (const one of points) for (const store of [rows, blocks]) writePoint(store, "weather", one);
    for (const sql of queries) {
      const asked = runSql(sql, blocks, NOW).then(({ body }) => body);
      expect(await reported(asked), sql).toBe(await reported(byRows(sql, rows)));
    }
    rows.close();
    blocks.close();
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(point, { minLength: 1, maxLength: 60 }).map(inTime),
      fc.array(fc.oneof(grouped, grouped, grouped, plain), { minLength: 20, maxLength: 20 }),
      run1,
    ),
    { numRuns: 40 },
  );
});

test("queries read blocks of many batches and later rows", async () => {
  const analytics = new Analytics(directory, { now: () => NOW });
  await addManyPoints(analytics, { dataset: "weather", count: 25_000, tenants: 50, from: NOW - 4 * DAY, to: NOW });
  for (let n = 0; n < 3; n += 1)
    writePoint(analytics, "weather", { at: NOW, index: "late", blobs: ["ai_spend"], doubles: [n] });
  const middle = "timestamp > toDateTime('2026-11-18 12:00:00')";
  const used = (of: string) => `SUM(IF(${of}, _sample_interval * double1, 0.0))`;
  for (const sql of [
    `SELECT index1 AS tenant, ${used(`blob1 = 'ai_spend' AND ${middle}`)} AS a, ${used("blob1 = 'ai_queries'")} AS b FROM weather
       WHERE timestamp > toDateTime('2026-11-17 00:00:00') AND blob3 = 'production' GROUP BY tenant`,
    `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, blob6 AS provider, blob7 AS model, SUM(double2) AS n, count() AS c
       FROM weather WHERE blob1 IN ('ai_queries', 'ai_spend') GROUP BY day, provider, model`,
    "SELECT index1, MAX(double4 / double5) AS disk, topK(1)(blob1) AS k FROM weather WHERE index1 LIKE '%1%' GROUP BY index1",
    `SELECT * FROM weather WHERE ${middle} AND blob1 = 'ai_spend' LIMIT 5000`,
  ]) {
    const { body } = await runSql(`${sql} FORMAT TabSeparated`, analytics, NOW);
    expect(body.split("\n").length, sql).toBeGreaterThan(10);
    expect(body).toBe(await byRows(`${sql} FORMAT TabSeparated`, analytics));
  }
  analytics.close();
});

test("a query yields to the event loop while it reads blocks", async () => {
  const analytics = new Analytics(directory, { now: () => NOW });
  await addManyPoints(analytics, { dataset: "weather", count: 100_000, tenants: 50, from: NOW - DAY, to: NOW });
  let [turns, isAnswered] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isAnswered) setImmediate(turn);
  };
  const answer = runSql(
    "SELECT index1, topK(2)(blob7) AS k FROM weather GROUP BY index1 ORDER BY index1",
    analytics,
    NOW,
  );
  turn();
  const { body } = await answer;
  isAnswered = true;
  expect(turns).toBeGreaterThan(1);
  expect(JSON.parse(body)).toMatchObject({ rows: 50 });
  analytics.close();
});
