import fc from "fast-check";
import { expect, test } from "vitest";
import { physicalName } from "./physical-name.ts";

test("keeps short names, and truncates long ones to different names", () => {
  expect(physicalName("acme", 63)).toBe("acme");
  const long = fc.stringMatching(/^[a-z0-9-]{64,90}$/);
  fc.assert(
    fc.property(long, long, (a, b) => {
      fc.pre(a !== b);
      expect(physicalName(a, 63).length).toBeLessThanOrEqual(63);
      expect(physicalName(a, 63)).not.toBe(physicalName(b, 63));
    }),
  );
});
