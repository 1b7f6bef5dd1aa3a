import { describe, expect, test } from "vitest";
import { parseCron } from "./cron.ts";

describe("a cron expression", () => {
  test.each([
    ["* * * * *", "2026-11-20T10:31:00Z", true],
    ["*/15 * * * *", "2026-11-20T10:30:59Z", true],
    ["*/15 * * * *", "2026-11-20T10:31:00Z", false],
    ["5/20 * * * *", "2026-11-20T10:45:00Z", true],
    ["0 0-6,22 * * *", "2026-11-20T22:00:00Z", true],
    ["0 0-6,22 * * *", "2026-11-20T07:00:00Z", false],
    ["0 0 1 JAN *", "2027-01-01T00:00:00Z", true],
    ["0 0 * * 1", "2026-11-22T00:00:00Z", true],
    ["0 0 * * MON-FRI", "2026-11-20T00:00:00Z", true],
    ["0 0 * * mon-fri", "2026-11-22T00:00:00Z", false],
    ["0 0 13 * FRI", "2026-11-20T00:00:00Z", true],
    ["0 0 13 * FRI", "2026-10-13T00:00:00Z", true],
    ["0 0 13 * FRI", "2026-10-14T00:00:00Z", false],
    ["0 0 L * *", "2028-02-29T00:00:00Z", true],
    ["0 0 L * *", "2028-02-28T00:00:00Z", false],
  ])("%s at %s is %s", (expression, at, due) => {
    expect(parseCron(expression)(new Date(at))).toBe(due);
  });

  test.each([
    ["* * * *", "must have five fields"],
    ["60 * * * *", '"60" is not a minute (0 to 59).'],
    ["* * * * 0", '"0" is not a day of the week (1 to 7).'],
    ["* 5-2 * * *", '"5-2" is not a hour'],
    ["*/0 * * * *", '"*/0" is not a minute'],
    ["* * * FOO *", '"FOO" is not a month'],
  ])("%s is refused", (expression, message) => {
    expect(() => parseCron(expression)).toThrow(message);
  });
});
