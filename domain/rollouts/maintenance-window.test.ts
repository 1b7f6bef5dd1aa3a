import { expect, test } from "vitest";
import { interruptibleFrom, isTimeZone, type MaintenanceWindow, openingAt } from "./maintenance-window.ts";

const nights: MaintenanceWindow = { days: [6, 7], start: "22:00", hours: 4, timeZone: "Europe/Berlin" };
const opening = (window: MaintenanceWindow, at: string) => {
  const { from, until } = openingAt(window, new Date(at));
  return [from.toISOString(), until.toISOString()];
};

test.each([
  ["before it opens", "2026-11-27T12:00:00Z", "2026-11-28T21:00:00.000Z"],
  ["while it is open", "2026-11-28T22:30:00Z", "2026-11-28T21:00:00.000Z"],
  ["after midnight of the night that it opened in", "2026-11-29T00:59:00Z", "2026-11-28T21:00:00.000Z"],
  ["once it has closed", "2026-11-29T01:00:00Z", "2026-11-29T21:00:00.000Z"],
  ["after the week's last", "2026-11-30T01:00:00Z", "2026-12-05T21:00:00.000Z"],
])("is the right opening %s", (_, at, from) => {
  expect(opening(nights, at)[0]).toBe(from);
});

test("follows the local clock across clock changes", () => {
  const early: MaintenanceWindow = { days: [1, 2, 3, 4, 5, 6, 7], start: "02:30", hours: 2, timeZone: "Europe/Berlin" };
  // Winter, the night without 02:30, summer, and the night that has it twice.
  expect(opening(early, "2026-03-28T00:00:00Z")[0]).toBe("2026-03-28T01:30:00.000Z");
  expect(opening(early, "2026-03-28T12:00:00Z")[0]).toBe("2026-03-29T01:30:00.000Z");
  expect(opening(early, "2026-03-29T12:00:00Z")[0]).toBe("2026-03-30T00:30:00.000Z");
  expect(["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]).toContain(opening(early, "2026-10-24T12:00:00Z")[0]);
});

test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "UTC"])(
  "opens once a day in %s",
  (timeZone) => {
    const daily: MaintenanceWindow = { days: [1, 2, 3, 4, 5, 6, 7], start: "23:45", hours: 1, timeZone };
    const moments = new Set<string>();
    for (let hour = 0; hour < 24 * 14; hour += 1) {
      const at = new Date(Date.UTC(2026, 5, 1, hour));
      const { from, until } = openingAt(daily, at);
      expect(until.getTime() - at.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
      expect(until > at).toBe(true);
      moments.add(from.toISOString());
    }
    expect([14, 15]).toContain(moments.size);
  },
);

test("does not wait while the window is open, or without a window", () => {
  const at = new Date("2026-11-28T22:30:00Z");
  expect(interruptibleFrom(nights, at)).toEqual(at);
  expect(interruptibleFrom(undefined, at)).toEqual(at);
  expect(interruptibleFrom(nights, new Date("2026-11-29T01:00:00Z")).toISOString()).toBe("2026-11-29T21:00:00.000Z");
});

test("recognizes the names of time zones", () => {
  expect(["Europe/Berlin", "UTC", "Mars/Olympus", ""].map(isTimeZone)).toEqual([true, true, false, false]);
});
