import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";

const entries = z.record(
  z.string(),
  z.object({ reason: z.string(), message: z.string(), remedy: z.string() }).catchall(z.unknown()),
);

const folders = ["commands", "stack", "service"].map((name) => join(import.meta.dirname, "..", name));
const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
const catalogues = await Promise.all(
  files
    .filter((file) => !file.endsWith(".test.ts"))
    .map(async (file) => {
      const exported: unknown = await import(file);
      return Object.values(z.record(z.string(), entries).parse(exported)).flatMap((found) => Object.entries(found));
    }),
);
const all = catalogues.flat();

test("finds the entries of commands, stacks and service", () => {
  expect(all.length).toBeGreaterThan(200);
});

test("names each reason once, in snake case, by its key", () => {
  const reasons = all.map(([key, { reason }]) => {
    expect(reason).toBe(key);
    return reason;
  });
  expect(reasons.filter((reason, index) => reasons.indexOf(reason) !== index)).toEqual([]);
  expect(reasons.filter((reason) => !/^[a-z]+(_[a-z]+)+$/.test(reason))).toEqual([]);
});

describe("each text", () => {
  // A value can be another sentence, or a list below the remedy.
  const END = /[.)}]$|--finish$|--force$|STACK$|FILE$|HOST$|localhost$/;

  test("ends as a sentence, or with a value or a command", () => {
    expect(all.flatMap(([, { message, remedy }]) => [message, remedy]).filter((text) => !END.test(text))).toEqual([]);
  });

  test("is not only a value, and no remedy is empty", () => {
    expect(all.map(([, { message }]) => message).filter((text) => /^\{\w+\}$/.test(text))).toEqual([]);
    expect(all.map(([, { remedy }]) => remedy).filter((text) => text.length < 3)).toEqual([]);
  });
});
