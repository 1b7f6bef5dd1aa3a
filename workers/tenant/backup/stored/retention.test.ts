import fc from "fast-check";
import { expect, test } from "vitest";
import { beyondRetention, expiringKept, unexpired } from "./retention.ts";
import type { StoredBackup } from "./stored-backup.ts";

const NOW = new Date("2026-06-01T00:00:00Z");
const HOUR_MS = 3_600_000;

const backup = (hoursAgo: number, bytes = 10, state: string | undefined = "s"): StoredBackup => ({
  id: `h${hoursAgo}`,
  createdAt: new Date(NOW.getTime() - hoursAgo * HOUR_MS),
  bytes,
  state,
});
const NO_LIMITS = { count: 100, ageMs: 1000 * HOUR_MS, bytes: undefined, expiryMs: 10_000 * HOUR_MS };
const gone = (backups: StoredBackup[], limits: { count?: number; ageMs?: number; bytes?: number }) =>
  beyondRetention(backups, NOW, { ...NO_LIMITS, ...limits }).map(({ id }) => id);

test("removes the oldest backups by count, age and size", () => {
  const backups = [backup(1), backup(2), backup(3), backup(4)];
  expect(gone(backups, {})).toEqual([]);
  expect(gone(backups, { count: 2 })).toEqual(["h3", "h4"]);
  expect(gone(backups, { ageMs: 2.5 * HOUR_MS })).toEqual(["h3", "h4"]);
  expect(gone(backups, { bytes: 30 })).toEqual(["h4"]);
});

test("keeps the last good backup beyond every limit and behind damaged ones", () => {
  expect(gone([backup(500, 1000)], { count: 0, ageMs: 1, bytes: 1 })).toEqual([]);
  const damaged = [{ ...backup(1), state: undefined }, { ...backup(2), state: undefined }, backup(3), backup(4)];
  expect(gone(damaged, { count: 1 })).toEqual(["h1", "h2", "h4"]);
});

test("removes all older backups when one does not fit", () => {
  expect(gone([backup(1), backup(2, 100), backup(3)], { bytes: 50 })).toEqual(["h2", "h3"]);
});

test("keeps the last good backup, and the others within the limits", () => {
  const entry = fc.record({ hours: fc.integer({ min: 0, max: 900 }), bytes: fc.nat(1000), good: fc.boolean() });
  const limits = fc.record({ count: fc.nat(10), ageMs: fc.nat(900 * HOUR_MS), bytes: fc.nat(3000) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), limits, (entries, limit) => {
      const backups = entries
        .sort((a, b) => a.hours - b.hours)
        .map(({ hours, bytes, good }, i) => ({
          ...backup(hours, bytes),
          id: String(i),
          state: good ? "s" : undefined,
        }));
      const removed = new Set(beyondRetention(backups, NOW, { ...NO_LIMITS, ...limit }));
      const lastGood = backups.find(({ state }) => state !== undefined);
      const kept = backups.filter((one) => !removed.has(one));
      if (lastGood !== undefined) expect(kept).toContain(lastGood);
      const others = kept.filter((one) => one !== lastGood);
      if (others.length > 0) {
        expect(kept.length).toBeLessThanOrEqual(limit.count);
        expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limit.bytes);
      }
      for (const one of others) expect(NOW.getTime() - one.createdAt.getTime()).toBeLessThanOrEqual(limit.ageMs);
    }),
  );
});

test("treats expired backups as missing, and no others", () => {
  const backups = [backup(1), backup(2), backup(10, 10, undefined), backup(11)];
  const left = (expiryMs: number) => unexpired(backups, NOW, { ...NO_LIMITS, expiryMs }).map(({ id }) => id);
  expect(left(10 * HOUR_MS)).toEqual(["h1", "h2", "h10"]);
  expect(left(HOUR_MS)).toEqual(["h1"]);
  expect(left(1)).toEqual([]);
});

test("removes no kept backup, which counts first", () => {
  const kept = { ...backup(500, 30), kept: true };
  const backups = [backup(1), backup(2), backup(3), kept];
  expect(gone(backups, { count: 3 })).toEqual(["h3"]);
  expect(gone(backups, { bytes: 50, ageMs: HOUR_MS })).toEqual(["h2", "h3"]);
  expect(unexpired([backup(2), { ...backup(3), kept: true }], NOW, { ...NO_LIMITS, expiryMs: HOUR_MS })).toEqual([
    { ...backup(3), kept: true },
  ]);
});

test("finds the kept backup whose objects the bucket would delete first", () => {
  const written = (id: string, hoursAgo: number, kept: boolean) => {
    return { ...backup(9_000), id, writtenAt: new Date(NOW.getTime() - hoursAgo * HOUR_MS), kept };
  };
  const found = (...backups: StoredBackup[]) => expiringKept(backups, NOW, NO_LIMITS)?.id;
  expect(found(written("new", 4_999, true), written("other", 9_999, false))).toBeUndefined();
  expect(found(written("one", 5_001, true), written("two", 6_000, true))).toBe("two");
});
