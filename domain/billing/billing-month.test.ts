import { expect, test } from "vitest";
import { billingMonth, dayOf, nextDay } from "./billing-month.ts";

test("has all days of the month, and ends with the first day of the next one", () => {
  expect(billingMonth("2026-02")).toMatchObject({ start: "2026-02-01", end: "2026-03-01" });
  expect(billingMonth("2028-02").days).toHaveLength(29);
  expect(billingMonth("2026-12")).toMatchObject({ end: "2027-01-01", days: { length: 31 } });
});

test("uses days in UTC", () => {
  expect(dayOf(new Date("2026-11-23T23:59:59.999Z"))).toBe("2026-11-23");
  expect(nextDay("2026-12-31")).toBe("2027-01-01");
});

test.each(["2026-13", "2026-1", "November", "2026-11-01"])("rejects the month %s", (text) => {
  expect(() => billingMonth(text)).toThrow(`${text} is not a month of the form YYYY-MM`);
});

test.each(["2026-02-30", "2026-2-3", "2026-11-23' OR 1", ""])("rejects the day %o", (text) => {
  expect(() => nextDay(text)).toThrow(`${text} is not a day of the form YYYY-MM-DD`);
});
