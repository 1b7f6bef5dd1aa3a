import { afterEach, beforeEach, expect, test } from "vitest";
import { type DispatchUnderTest, startDispatch, tenant } from "./testing/start-dispatch.ts";

/** Bounds a wait; a busy machine may need much of it. */
const SOON = { timeout: 40_000 };

let dispatch: DispatchUnderTest;

beforeEach(async () => {
  dispatch = await startDispatch();
});
afterEach(() => dispatch?.stop());

const workers = () => dispatch.ticks.map((tick) => tick.worker).sort();

test("each active tenant gets the minute's tick once, past one page and one message", async () => {
  const slugs = Array.from({ length: 1_050 }, (_, index) => `t${String(index).padStart(4, "0")}`);
  for (const slug of slugs) dispatch.rest.tenants.set(slug, tenant(slug));
  dispatch.rest.tenants.set("iced", tenant("iced", { instance_status: "frozen" }));
  const minute = new Date(Math.floor(Date.now() / 1000) * 1000);
  await dispatch.scheduled(minute);
  await expect.poll(() => dispatch.ticks.length, SOON).toBeGreaterThanOrEqual(slugs.length);
  expect(workers()).toEqual(slugs.map((slug) => `tenant-${slug}`));
  expect(new Set(dispatch.ticks.map(({ tick }) => tick.scheduledTime))).toEqual(new Set([minute.toISOString()]));
});

test("a tenant that fails, hangs or is missing delays nobody, and no batch comes again", async () => {
  const scheduledTime = new Date().toISOString();
  const names = ["tenant-missing", "tenant-hangs", "tenant-fails", "tenant-fine", "tenant-good"];
  const delivered = dispatch.queue([{ v: 1, scheduledTime, workers: names }]);
  await expect.poll(workers, SOON).toEqual(["tenant-fails", "tenant-fine", "tenant-good", "tenant-hangs"]);
  expect((await delivered).ackAll).toBe(true);
  await expect.poll(() => dispatch.logs.filter((line) => line.includes("tick_failed")).length, SOON).toBe(3);
  expect(workers()).toHaveLength(4);
});

test("a missed minute is not made up, and rubbish in the queue is dropped", async () => {
  const scheduledTime = new Date(Date.now() - 61_000).toISOString();
  const bodies = ["rubbish", { v: 2 }, { v: 1, scheduledTime, workers: ["tenant-late"] }];
  expect((await dispatch.queue(bodies)).ackAll).toBe(true);
  expect(dispatch.ticks).toEqual([]);
});
