import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RestoreAttempts } from "./restore-attempts.ts";

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stored() {
  const values = new Map<string, unknown>();
  return {
    get: async (key: string) => values.get(key),
    put: async (key: string, value: unknown) => void values.set(key, value),
    delete: async (key: string) => values.delete(key),
  };
}

test("a restore that finds no room is tried again for ever, after pauses that grow to an hour", async () => {
  const storage = stored();
  const attempts = () => new RestoreAttempts(storage, "free");
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    expect(await attempts().permits("one")).toBe(true);
    await attempts().failed("one");
    const pause = Number(await attempts().next()) - Date.now();
    pauses.push(pause / MINUTE_MS);
    vi.advanceTimersByTime(Math.max(0, pause - 1));
    expect(await attempts().permits("one")).toBe(pause === 0);
    vi.advanceTimersByTime(1);
  }
  expect(pauses).toEqual([0, 0, 5, 10, 20, 40, 60, 60, 60]);
});

test("another backup, another plan and an administrator's word count anew", async () => {
  const storage = stored();
  const attempts = (plan = "free") => new RestoreAttempts(storage, plan);
  const fail = async () => {
    for (let attempt = 0; attempt < 3; attempt++) await attempts().failed("one");
    expect(await attempts().permits("one")).toBe(false);
  };
  await fail();
  expect(await attempts().permits("two")).toBe(true);
  expect(await attempts("pro").permits("one")).toBe(true);
  expect(await attempts("pro").next()).toBeUndefined();
  await attempts().forget();
  expect(await attempts().permits("one")).toBe(true);
});
