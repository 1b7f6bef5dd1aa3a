import fc from "fast-check";
import { expect, test } from "vitest";
import { AmountOutOfRange, chargeFor, jsonMicros, MAX_MICROS, totalAmount } from "./money.ts";

test.each([
  [0n, { micros: 7n, perUnits: 2n }, 0n],
  [1n, { micros: 1n, perUnits: 2n }, 1n],
  [1n, { micros: 1n, perUnits: 3n }, 0n],
  [2n, { micros: 1n, perUnits: 3n }, 1n],
  [3n, { micros: 1n, perUnits: 2n }, 2n],
  [1_000_000_000_001n, { micros: 10_000n, perUnits: 1_000_000_000n }, 10_000_000n],
])("charges %s at %o as %s, rounded half up", (quantity, rate, expected) => {
  expect(chargeFor(quantity, rate)).toBe(expected);
});

test("rounds by at most half a micro-unit, and never charges less for more", () => {
  const quantity = fc.bigInt(0n, 10n ** 12n);
  const rate = fc.record({ micros: fc.bigInt(0n, 10n ** 3n), perUnits: fc.bigInt(1n, 10n ** 12n) });
  fc.assert(
    fc.property(quantity, quantity, rate, (a, b, { micros, perUnits }) => {
      const exact = a * micros;
      const off = 2n * (chargeFor(a, { micros, perUnits }) * perUnits - exact);
      expect(off > -perUnits && off <= perUnits).toBe(true);
      expect(chargeFor(a + b, { micros, perUnits })).toBeGreaterThanOrEqual(chargeFor(a, { micros, perUnits }));
    }),
  );
});

test("represents every amount exactly in JSON, and rejects larger ones", () => {
  fc.assert(
    fc.property(fc.bigInt(-MAX_MICROS, MAX_MICROS), (amount) => {
      expect(BigInt(JSON.parse(JSON.stringify(jsonMicros(amount))))).toBe(amount);
    }),
  );
  expect(() => totalAmount([MAX_MICROS, 1n])).toThrow(AmountOutOfRange);
  expect(() => chargeFor(MAX_MICROS, { micros: 2n, perUnits: 1n })).toThrow("micro-units exceed");
  expect(totalAmount([MAX_MICROS, 1n, -1n])).toBe(MAX_MICROS);
});
