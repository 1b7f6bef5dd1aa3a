import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RestoreAttempts, type RestorePlace } from "./attempts.ts";

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

const HERE: RestorePlace = { diskBytes: 4e9, image: "gw 1.0.0" };

test("retries a restore without room, with pauses that grow to an hour", async () => {
  const storage = stored();
  const attempts = () => new RestoreAttempts(storage);
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    expect(await attempts().permits("one", HERE)).toBe(true);
    await attempts().recordFailure("one", HERE);
    const pause = Number(await attempts().next()) - Date.now();
    pauses.push(pause / MINUTE_MS);
    vi.advanceTimersByTime(Math.max(0, pause - 1));
    expect(await attempts().permits("one", HERE)).toBe(pause === 0);
    vi.advanceTimersByTime(1);
  }
  expect(pauses).toEqual([0, 0, 5, 10, 20, 40, 60, 60, 60]);
});

test("resets the count for another backup, disk size or image, and when an administrator requests it", async () => {
  const attempts = new RestoreAttempts(stored());
  for (let attempt = 0; attempt < 3; attempt++) await attempts.recordFailure("one", HERE);
  const permits = (backup: string, there: Partial<RestorePlace> = {}) =>
    attempts.permits(backup, { ...HERE, ...there });
  expect(await permits("one")).toBe(false);
  // The reserved space of a disk varies.
  expect(await permits("one", { diskBytes: 4.01e9 })).toBe(false);
  expect(await permits("two")).toBe(true);
  expect(await permits("one", { diskBytes: 8e9 })).toBe(true);
  expect(await permits("one", { image: "gw 1.0.1" })).toBe(true);
  await attempts.recordFailure("one", { ...HERE, diskBytes: 8e9 });
  expect(await permits("one", { diskBytes: 8e9 })).toBe(true);
  for (let attempt = 0; attempt < 2; attempt++) await attempts.recordFailure("one", { ...HERE, diskBytes: 8e9 });
  expect(await permits("one", { diskBytes: 8e9 })).toBe(false);
  await attempts.forget();
  expect(await permits("one", { diskBytes: 8e9 })).toBe(true);
});
