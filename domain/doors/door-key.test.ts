import { expect, test } from "vitest";
import { isDoorKey, keyHint, newDoorKey } from "./door-key.ts";

test("creates different keys of 24 characters", () => {
  const keys = Array.from({ length: 1_000 }, () => newDoorKey());
  expect(keys.every(isDoorKey)).toBe(true);
  expect(new Set(keys).size).toBe(1_000);
  expect(keyHint(`${"0".repeat(20)}WXYZ`)).toBe("WXYZ");
});

test("skips bytes that would make some characters more likely", () => {
  let next = 255;
  // 255 down to 248 are skipped.
  const key = newDoorKey((bytes) => bytes.set(bytes.map(() => next--)));
  expect(key).toBe("zyxwvutsrqponmlkjihgfedc");
});

test.each(["", "a".repeat(23), "a".repeat(25), `${"a".repeat(23)}-`, `${"a".repeat(23)}é`, `${"a".repeat(24)}\n`])(
  "rejects %j",
  (text) => expect(isDoorKey(text)).toBe(false),
);
