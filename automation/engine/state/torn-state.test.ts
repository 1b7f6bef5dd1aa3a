import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { repairState } from "./torn-state.ts";

const directory = mkdtempSync(join(tmpdir(), "tenantry-state-"));
const file = join(directory, "whole.json");
const copy = `${file}.bak`;
beforeEach(() => {
  rmSync(file, { force: true });
  rmSync(copy, { force: true });
});
afterAll(() => rmSync(directory, { recursive: true }));

test("keeps a complete state and accepts a missing one", () => {
  repairState(file);
  writeFileSync(file, '{"step":2}');
  writeFileSync(copy, '{"step":1}');
  repairState(file);
  expect(readFileSync(file, "utf8")).toBe('{"step":2}');
});

test("deletes partial metadata and keeps complete metadata", () => {
  writeFileSync(file, '{"step":1}');
  writeFileSync(`${file}.attrs`, "");
  repairState(file);
  expect(readFileSync(file, "utf8")).toBe('{"step":1}');
  expect(existsSync(`${file}.attrs`)).toBe(false);
  writeFileSync(`${file}.attrs`, "{}");
  repairState(file);
  expect(existsSync(`${file}.attrs`)).toBe(true);
});

test.each(["", '{"step":'])("restores the copy of a state that contains %j", (torn) => {
  writeFileSync(file, torn);
  writeFileSync(copy, '{"step":1}');
  repairState(file);
  expect(readFileSync(file, "utf8")).toBe('{"step":1}');
});

test("deletes a partial state without a complete copy", () => {
  writeFileSync(file, "");
  writeFileSync(copy, "");
  repairState(file);
  expect(existsSync(file)).toBe(false);
});
