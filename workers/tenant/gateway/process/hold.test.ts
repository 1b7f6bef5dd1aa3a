import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memoryStorage } from "../../sleep/testing/memory-storage.ts";
import { Hold } from "./hold.ts";

const T = Date.parse("2026-11-26T12:00:00Z");
const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: T });
});
afterEach(() => {
  vi.useRealTimers();
});

test("ends when the tenant was found routable later than it began, also in another object, and not by an earlier finding", async () => {
  const storage = memoryStorage();
  const onEnd = vi.fn(async () => {});
  await new Hold(storage, onEnd).begin();
  const hold = new Hold(storage, onEnd);
  for (const at of [0, T - MINUTE_MS, T, T + MINUTE_MS]) await hold.endIfRoutable(at);
  expect([await hold.isActive(), onEnd.mock.calls.length]).toEqual([true, 0]);
  await hold.endIfRoutable(T + MINUTE_MS + 1);
  await hold.endIfRoutable(T + 2 * MINUTE_MS);
  expect([await hold.isActive(), await new Hold(storage, onEnd).isActive(), onEnd.mock.calls.length]).toEqual([
    false,
    false,
    1,
  ]);
});

test("takes a hold of an earlier version, which stored no time, as begun now", async () => {
  const storage = memoryStorage();
  await storage.put("hold", true);
  expect(await new Hold(storage, async () => {}).isActive()).toBe(true);
  vi.setSystemTime(T + 5 * MINUTE_MS);
  const hold = new Hold(storage, async () => {});
  await hold.endIfRoutable(T + MINUTE_MS);
  expect(await hold.isActive()).toBe(true);
  await hold.endIfRoutable(T + MINUTE_MS + 1);
  expect(await hold.isActive()).toBe(false);
});
