import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
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

test("points outlive the process", () => {
  writePoint(open(), "weather", { at: NOW, index: "zürich", blobs: ["rain", ""], doubles: [1.5] });
  const [point, ...others] = open().points("weather");
  expect(others).toEqual([]);
  expect(point).toMatchObject({ dataset: "weather", index: "zürich", timestamp: NOW });
  expect(point?.blobs).toEqual(["rain", ...Array.from({ length: 19 }, () => "")]);
  expect(point?.doubles).toEqual([1.5, ...Array.from({ length: 19 }, () => 0)]);
});

test("points of three months are kept, and older ones neither shown nor kept", () => {
  // Three months before 20 November is 20 August.
  const limit = Date.parse("2026-08-20T12:00:00Z");
  for (const at of [limit - DAY, limit - 1, limit, NOW]) writePoint(open(), "weather", { at });
  expect(
    open()
      .points("weather")
      .map(({ timestamp }) => timestamp),
  ).toEqual([limit, NOW]);
  expect(rows()).toBe(2);
  expect(open({ now: () => NOW + DAY }).points("weather")).toHaveLength(1);
  expect(open({ now: () => NOW + 100 * DAY }).datasets()).toEqual([]);
  expect(rows()).toBe(0);
});

test("of too many points the newest are kept", () => {
  const few = { mostPoints: 3 };
  for (let n = 0; n < 5; n += 1) writePoint(open(few), n % 2 === 0 ? "even" : "odd", { at: NOW - 10 + n });
  expect(open(few).datasets()).toEqual(["even", "odd"]);
  expect(rows()).toBe(3);
  expect(
    open(few)
      .points("even")
      .map(({ timestamp }) => timestamp),
  ).toEqual([NOW - 8, NOW - 6]);
});

test("what is read while points are written is what there was", () => {
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

test("points of an earlier version are taken over", () => {
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
});

function rows(): number {
  const database = new DatabaseSync(join(directory, "analytics.sqlite"), { readOnly: true });
  const { count } = database.prepare("select count(*) as count from data_points").get() ?? {};
  database.close();
  return Number(count);
}
