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

test("leaves a whole state alone, and one that is not there", () => {
  repairState(file);
  writeFileSync(file, '{"step":2}');
  writeFileSync(copy, '{"step":1}');
  repairState(file);
  expect(readFileSync(file, "utf8")).toBe('{"step":2}');
});

test("removes torn notes beside a whole state, and leaves whole ones", () => {
  writeFileSync(file, '{"step":1}');
  writeFileSync(`${file}.attrs`, "");
  repairState(file);
  expect(readFileSync(file, "utf8")).toBe('{"step":1}');
  expect(existsSync(`${file}.attrs`)).toBe(false);
  writeFileSync(`${file}.attrs`, "{}");
  repairState(file);
  expect(existsSync(`${file}.attrs`)).toBe(true);
});

test.each(["", '{"step":'])("takes the copy for a state that reads %j", (torn) => {
  writeFileSync(file, torn);
  writeFileSync(copy, '{"step":1}');
  repairState(file);
  expect(readFileSync(file, "utf8")).toBe('{"step":1}');
});

test("removes a torn state that has no whole copy", () => {
  writeFileSync(file, "");
  writeFileSync(copy, "");
  repairState(file);
  expect(existsSync(file)).toBe(false);
});
