import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { arrivalOf } from "#weather/analytics-weather.ts";
import { createWeather } from "#weather/weather.ts";
import { Analytics, type AnalyticsOptions } from "./data-points.ts";
import { writePoint } from "./testing/points.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const DAY = 86_400_000;

let directory: string;
let analytics: Analytics | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "data-points-"));
});
afterEach(async () => {
  analytics?.close();
  analytics = undefined;
  await rm(directory, { recursive: true });
});

function open(options: AnalyticsOptions = {}): Analytics {
  analytics?.close();
  analytics = new Analytics(directory, { now: () => NOW, ...options });
  return analytics;
}

test("points are stored after the process ends", () => {
  writePoint(open(), "weather", { at: NOW, index: "zürich", blobs: ["rain", ""], doubles: [1.5] });
  const [point, ...others] = open().points("weather");
  expect(others).toEqual([]);
  expect(point).toMatchObject({ dataset: "weather", index: "zürich", timestamp: NOW });
  expect(point?.blobs).toEqual(["rain", ...Array.from({ length: 19 }, () => "")]);
  expect(point?.doubles).toEqual([1.5, ...Array.from({ length: 19 }, () => 0)]);
});

test("late points appear with the time of their write, and sampled ones stand for others", () => {
  let now = NOW;
  const log: string[] = [];
  const rates = { analytics_late: 1, analytics_sampled: 1 };
  const weather = createWeather({ seed: 3, rates, now: () => now }, (_area, _event, fields) => {
    log.push(String(fields?.fault));
  });
  const store = open({ now: () => now, arrivalOf: (dataset, index) => arrivalOf(weather, dataset, index) });
  for (let n = 0; n < 400; n += 1) writePoint(store, "weather", { at: NOW, index: "acme", doubles: [10] });
  expect(store.points("weather").length).toBeLessThan(10);
  now += 300_000;
  const found = [...store.batches("weather", ["_sample_interval"])];
  const intervals = found.flatMap(({ length, columns: [column] }) => {
    if (column?.kind !== "numbers") throw new Error("The column must be numbers.");
    return [...column.values.subarray(0, length)];
  });
  expect(new Set(intervals)).toEqual(new Set([4]));
  // The sum of the intervals estimates the number of points.
  expect(Math.abs(4 * intervals.length - 400)).toBeLessThan(80);
  expect(new Set(store.points("weather").map(({ timestamp }) => timestamp))).toEqual(new Set([NOW]));
  expect(new Set(log)).toEqual(new Set(["analytics_late", "analytics_sampled"]));
});

test("points older than three months are neither returned nor stored", () => {
  // Three months before 20 November is 20 August.
  const limit = Date.parse("2026-08-20T12:00:00Z");
  for (const at of [limit - DAY, limit - 1, limit, NOW]) writePoint(open(), "weather", { at });
  expect(
    open()
      .points("weather")
      .map(({ timestamp }) => timestamp),
  ).toEqual([limit, NOW]);
  expect(count("data_points")).toBe(2);
  expect(open({ now: () => NOW + DAY }).points("weather")).toHaveLength(1);
  expect(open({ now: () => NOW + 100 * DAY }).datasets()).toEqual([]);
  expect(count("data_points")).toBe(0);
});

test("the oldest points are deleted above the limit", () => {
  const few = { mostPoints: 3 };
  for (let n = 0; n < 5; n += 1) writePoint(open(few), n % 2 === 0 ? "even" : "odd", { at: NOW - 10 + n });
  expect(open(few).datasets()).toEqual(["even", "odd"]);
  expect(count("data_points")).toBe(3);
  expect(
    open(few)
      .points("even")
      .map(({ timestamp }) => timestamp),
  ).toEqual([NOW - 8, NOW - 6]);
});

test("a read returns a snapshot while points are written", () => {
  const written = open({ blockPoints: 2 });
  const write = () => writePoint(written, "weather", { at: NOW });
  for (let n = 0; n < 6; n += 1) write();
  const seen: number[] = [];
  for (const { length } of written.batches("weather", ["timestamp"])) {
    seen.push(length);
    write();
  }
  expect(seen).toEqual([2, 2, 2]);
  expect(written.points("weather")).toHaveLength(9);
});

test("blocks and later rows are one list, oldest first, also with a late point", () => {
  const written = open({ blockPoints: 4 });
  const times = [0, 1, 2, 4, 3, 5, 6, 7, 8, 10, 9, 11];
  for (const n of times) {
    const blob = n % 3 === 0 ? "" : `Łódź ${n % 2}`;
    writePoint(written, "weather", {
      at: NOW + n,
      index: `i${n}`,
      blobs: [blob],
      doubles: [n, n / 7, -n, 2 ** 40 * n],
      sampleInterval: 2,
    });
    if (n % 2 === 0) writePoint(written, "other", { at: NOW + n });
  }
  expect([count("blocks"), count("data_points")]).toEqual([3, 6]);
  for (const points of [written.points("weather"), open().points("weather")]) {
    expect(points.map(({ timestamp }) => timestamp - NOW)).toEqual(times.toSorted((a, b) => a - b));
    for (const { timestamp, index, blobs, doubles } of points) {
      const n = timestamp - NOW;
      expect([index, ...blobs.slice(0, 2)]).toEqual([`i${n}`, n % 3 === 0 ? "" : `Łódź ${n % 2}`, ""]);
      expect(doubles.slice(0, 5)).toEqual([n, n / 7, -n, 2 ** 40 * n, 0].map((value) => value + 0));
    }
  }
  expect(written === analytics).toBe(false);
  expect(analytics?.datasets()).toEqual(["other", "weather"]);
  expect(analytics?.points("weather", NOW + 5).map(({ timestamp }) => timestamp - NOW)).toEqual([
    5, 6, 7, 8, 9, 10, 11,
  ]);
});

test("blocks are deleted when all points are too old, or above the limit", () => {
  const limit = Date.parse("2026-08-20T12:00:00Z");
  const few = { blockPoints: 4 };
  const written = open(few);
  for (let n = 0; n < 12; n += 1) writePoint(written, "weather", { at: limit - 6 + n });
  expect(written.points("weather")).toHaveLength(6);
  open(few);
  // Six points are too old, but two share a block with newer points.
  expect([count("blocks"), count("block_columns"), count("data_points")]).toEqual([1, 44, 4]);
  expect(
    open(few)
      .points("weather")
      .map(({ timestamp }) => timestamp - limit),
  ).toEqual([0, 1, 2, 3, 4, 5]);
  expect(open({ ...few, now: () => NOW + DAY }).datasets()).toEqual([]);
  expect([count("blocks"), count("block_columns"), count("data_points")]).toEqual([0, 0, 0]);
  for (let n = 0; n < 30; n += 1)
    writePoint(open({ ...few, mostPoints: 11 }), n < 15 ? "first" : "second", { at: NOW + n });
  const kept = open({ ...few, mostPoints: 11 }).points("second");
  expect(open(few).datasets()).toEqual(["second"]);
  expect(kept.map(({ timestamp }) => timestamp - NOW)).toEqual([19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
});

test("a process that is killed while it seals a block loses and duplicates no point", async () => {
  const script = join(import.meta.dirname, "testing/killed-at-sealing.ts");
  const child = spawn(process.execPath, [script, directory, "8"], { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
  const here = { blockPoints: 8, now: () => Date.now() };
  const written = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `point ${from + at}`);
  const indexes = () =>
    open(here)
      .points("weather")
      .map(({ index }) => index);
  expect(indexes()).toEqual(written(1, 10));
  expect([count("blocks"), count("data_points")]).toEqual([0, 10]);
  writePoint(open(here), "weather", { at: Date.now(), index: "point 11" });
  expect([count("blocks"), count("data_points")]).toEqual([1, 3]);
  expect(indexes()).toEqual(written(1, 11));
});

test("points of an earlier version are migrated", () => {
  const before = new DatabaseSync(join(directory, "analytics.sqlite"));
  before.exec(`
    create table points (dataset text not null, timestamp integer not null, index1 text not null, blobs text not null, doubles text not null);
    create index points_by_dataset on points (dataset, timestamp);
    insert into points values ('weather', ${NOW}, 'a', '["x","","z"]', '[1,2.5]');
  `);
  before.close();
  for (const points of [open().points("weather"), open().points("weather")]) {
    expect(points).toHaveLength(1);
    expect(points[0]).toMatchObject({ index: "a", timestamp: NOW });
    expect(points[0]?.blobs.slice(0, 4)).toEqual(["x", "", "z", ""]);
    expect(points[0]?.doubles.slice(0, 3)).toEqual([1, 2.5, 0]);
  }
  // Writing a row seals a block.
  writePoint(open({ blockPoints: 1 }), "weather", { at: NOW + 1 });
  expect([count("blocks"), count("data_points")]).toEqual([1, 1]);
  expect(open().points("weather")).toHaveLength(2);
});

function count(table: "data_points" | "blocks" | "block_columns"): number {
  const database = new DatabaseSync(join(directory, "analytics.sqlite"), { readOnly: true });
  const { count: found } = database.prepare(`select count(*) as count from ${table}`).get() ?? {};
  database.close();
  return Number(found);
}
