import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { periodMonths, periodOf } from "./period.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-03-31T23:30:00Z"), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  [{}, "2026-03-02", "2026-03-31", "2026-01-31", "2026-03-01"],
  [{ days: 7 }, "2026-03-25", "2026-03-31", "2026-03-18", "2026-03-24"],
  [{ days: 90 }, "2026-01-01", "2026-03-31", "2025-10-03", "2025-12-31"],
  // Of the dashboard's page.
  [{ days: 365 }, "2026-03-02", "2026-03-31", "2026-01-31", "2026-03-01"],
  [{ days: 7, month: "2026-02" }, "2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"],
  [{ month: "2026-01" }, "2026-01-01", "2026-01-31", "2025-12-01", "2025-12-31"],
  [{ month: "2026-03" }, "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
  [{ month: "2026-04" }, "2026-03-02", "2026-03-31", "2026-01-31", "2026-03-01"],
])("%o has these days, and is compared with as many before", (search, first, last, former, formerLast) => {
  const period = periodOf(search);
  expect(period).toMatchObject({ first, last, before: { first: former, last: formerLast } });
  expect([period.days[0], period.days.at(-1)]).toEqual([first, last]);
  expect(new Set(period.days).size).toBe((Date.parse(last) - Date.parse(first)) / 86_400_000 + 1);
});

test("the present month is compared with the same days of the month before", () => {
  vi.setSystemTime(Date.parse("2026-03-10T12:00:00Z"));
  expect(periodOf({ month: "2026-03" }).before).toEqual({ first: "2026-02-01", last: "2026-02-10" });
  expect(periodMonths()).toEqual(["2026-03", "2026-02", "2026-01"]);
});
