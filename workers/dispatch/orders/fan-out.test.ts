import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { type DispatchUnderTest, startDispatch, tenant } from "../testing/start-dispatch.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };

let dispatch: DispatchUnderTest;

beforeEach(async () => {
  dispatch = await startDispatch();
});
afterEach(() => dispatch?.stop());

const workers = () => dispatch.ticks.map((tick) => tick.worker).sort();

const heldMessages = z.array(
  z.object({ body: z.object({ workers: z.array(z.string()) }), delaySeconds: z.number().optional() }),
);

const slugsOf = (count: number) => Array.from({ length: count }, (_, index) => `t${String(index).padStart(4, "0")}`);

test("sends a tick to more than one page of tenants, spread over the minute", async () => {
  const sent: { workers: string[]; delaySeconds: number }[] = [];
  const keep = (messages: unknown) => {
    for (const { body, delaySeconds = 0 } of heldMessages.parse(messages)) sent.push({ ...body, delaySeconds });
  };
  const spreading = await startDispatch({}, { held: keep });
  onTestFinished(() => spreading.stop());
  const slugs = slugsOf(1_050);
  for (const slug of slugs) spreading.rest.tenants.set(slug, tenant(slug));
  spreading.rest.tenants.set("iced", tenant("iced", { instance_status: "frozen" }));
  await spreading.scheduled(new Date());
  expect(sent.flatMap(({ workers }) => workers)).toEqual(slugs.map((slug) => `tenant-${slug}`));
  const atOnce = new Map<number, number>();
  for (const { workers, delaySeconds } of sent)
    atOnce.set(delaySeconds, (atOnce.get(delaySeconds) ?? 0) + workers.length);
  expect(Math.max(...atOnce.values())).toBeLessThanOrEqual(40);
  expect(Math.max(...atOnce.keys())).toBeLessThan(60);
});

test("sends each active tenant one tick, in more than one message", async () => {
  const slugs = slugsOf(50);
  for (const slug of slugs) dispatch.rest.tenants.set(slug, tenant(slug));
  dispatch.rest.tenants.set("iced", tenant("iced", { instance_status: "frozen" }));
  const minute = new Date(Math.floor(Date.now() / 1000) * 1000);
  await dispatch.scheduled(minute);
  await expect.poll(() => dispatch.ticks.length, SOON).toBeGreaterThanOrEqual(slugs.length);
  expect(workers()).toEqual(slugs.map((slug) => `tenant-${slug}`));
  expect(new Set(dispatch.ticks.map(({ tick }) => tick.scheduledTime))).toEqual(new Set([minute.toISOString()]));
});

test("is not delayed by a tenant that fails, hangs or is missing, and retries no batch", async () => {
  const scheduledTime = new Date().toISOString();
  const names = ["tenant-missing", "tenant-hangs", "tenant-fails", "tenant-fine", "tenant-good"];
  const delivered = dispatch.queue([{ v: 1, scheduledTime, workers: names }]);
  await expect.poll(workers, SOON).toEqual(["tenant-fails", "tenant-fine", "tenant-good", "tenant-hangs"]);
  expect((await delivered).ackAll).toBe(true);
  await expect.poll(() => dispatch.logs.filter((line) => line.includes("tick.failed")).length, SOON).toBe(3);
  expect(workers()).toHaveLength(4);
});

test("accepts a tick that was delayed on purpose", async () => {
  const scheduledTime = new Date(Date.now() - 61_000).toISOString();
  await dispatch.queue([{ v: 1, scheduledTime, delaySeconds: 30, workers: ["tenant-spread"] }]);
  await expect.poll(workers, SOON).toEqual(["tenant-spread"]);
});

test("drops late ticks and malformed messages", async () => {
  const scheduledTime = new Date(Date.now() - 61_000).toISOString();
  const bodies = ["rubbish", { v: 2 }, { v: 1, scheduledTime, workers: ["tenant-late"] }];
  expect((await dispatch.queue(bodies)).ackAll).toBe(true);
  expect(dispatch.ticks).toEqual([]);
});
