import fc from "fast-check";
import { expect, test } from "vitest";
import { contrastRatio, isColour } from "./contrast.ts";

test("is 21 for black on white, 1 for equal colours, and as in the standard for others", () => {
  expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastRatio("#336699", "#336699")).toBe(1);
  // The lightest grey that can be read on white, and the next one that cannot.
  expect(contrastRatio("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  expect(contrastRatio("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrastRatio("#ff0000", "#FFFFFF")).toBeCloseTo(4, 2);
});

test("does not depend on the order of the colours, and stays within its bounds", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, colour, (one, other) => {
      expect(isColour(one)).toBe(true);
      expect(contrastRatio(one, other)).toBe(contrastRatio(other, one));
      expect(contrastRatio(one, other)).toBeGreaterThanOrEqual(1);
      expect(contrastRatio(one, other)).toBeLessThanOrEqual(21.0001);
    }),
  );
});

test.each(["", "#fff", "red", "#12345g", "#1234567", "url(#a)", "#123456\n"])("rejects the colour %j", (text) => {
  expect(isColour(text)).toBe(false);
});
