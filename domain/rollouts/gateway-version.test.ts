import { expect, test } from "vitest";
import { compareGatewayVersions } from "./gateway-version.ts";

const RISING = [
  "0.9",
  "1.0.0-alpha",
  "1.0.0-beta.1",
  "1.0.0-beta.2",
  "1.0.0",
  "1.0.0-2",
  "1.2",
  "v1.10.0",
  "2026.9.6",
  "2026.9.6-2",
];

test("orders versions", () => {
  for (const [index, a] of RISING.entries()) {
    for (const [other, b] of RISING.entries()) {
      expect([a, b, Math.sign(compareGatewayVersions(a, b))]).toEqual([a, b, Math.sign(index - other)]);
    }
  }
  expect(compareGatewayVersions("1.0", "1.0.0+build")).toBe(0);
});
