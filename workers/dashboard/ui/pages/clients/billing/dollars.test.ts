import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDollars, parseDollars } from "./dollars.ts";

test.each([
  ["50", 50_000_000],
  [" 0.10 ", 100_000],
  ["1.000001", 1_000_001],
  ["0.3", 300_000],
])("parses %s as %d micro-units", (text, micros) => {
  expect(parseDollars(text)).toBe(micros);
});

test.each(["", "-1", "1,5", "1.0000001", "1e3", "0x10", "ten", "1."])("rejects %s", (text) => {
  expect(parseDollars(text)).toBeUndefined();
});

test("formats amounts with at least two decimal places, which parse to the same amount", () => {
  expect([formatDollars(0), formatDollars(5_000_000), formatDollars(1_250_100)]).toEqual(["0.00", "5.00", "1.2501"]);
  fc.assert(
    fc.property(fc.nat({ max: 900_000_000_000 }), (micros) => {
      expect(parseDollars(formatDollars(micros))).toBe(micros);
    }),
  );
});
