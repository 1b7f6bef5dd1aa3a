import fc from "fast-check";
import { expect, test } from "vitest";
import { equalSecrets } from "./same-secret.ts";

test("compares secrets of any length and characters", () => {
  const secret = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(
    fc.property(secret, secret, (given, expected) => {
      const same = Buffer.from(given).equals(Buffer.from(expected));
      expect(equalSecrets(given, expected)).toBe(same);
      expect(equalSecrets(given, given)).toBe(true);
    }),
  );
  for (const other of ["", "a", "aaa", "b", "ab", "\0"])
    expect([other, equalSecrets("aa", other)]).toEqual([other, false]);
  expect(equalSecrets("", "a")).toBe(false);
});
