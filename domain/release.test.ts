import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { COMPATIBLE_FROM, isOlder, RELEASE, SCHEMA_RELEASE } from "./release.ts";

test("equals the package's version, and refers to no later versions", () => {
  const text = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  expect(z.object({ version: z.string() }).parse(JSON.parse(text)).version).toBe(RELEASE);
  expect(isOlder(RELEASE, SCHEMA_RELEASE)).toBe(false);
  expect(isOlder(SCHEMA_RELEASE, COMPATIBLE_FROM)).toBe(false);
});

test.each([
  ["0.1.0", "0.2.0", true],
  ["0.9.0", "0.10.0", true],
  ["0.10.0", "0.9.9", false],
  ["1.0.0", "1.0.0", false],
  ["1.0.1", "1.0.10", true],
])("%s is older than %s: %s", (version, other, expected) => {
  expect(isOlder(version, other)).toBe(expected);
});
