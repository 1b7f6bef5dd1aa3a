import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockState } from "./lock.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lock-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("lockState", () => {
  test("reports the process that holds the lock, and what to do", () => {
    writeFileSync(join(directory, "edge.lock"), String(process.ppid));
    expect(() => lockState(directory)).toThrow(`process ${process.ppid}`);
    expect(() => lockState(directory)).toThrow("--state");
  });

  test.each(["2147483646", "", "nonsense"])("takes over the lock of an ended process (%j)", (holder) => {
    writeFileSync(join(directory, "edge.lock"), holder);
    lockState(directory)();
    lockState(directory)();
  });
});
