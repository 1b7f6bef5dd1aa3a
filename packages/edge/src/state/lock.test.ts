import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockState } from "./lock.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tenantry-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("lockState", () => {
  test("refuses a directory that a living process holds, naming it and the way out", () => {
    writeFileSync(join(directory, "edge.lock"), String(process.ppid));
    expect(() => lockState(directory)).toThrow(`process ${process.ppid}`);
    expect(() => lockState(directory)).toThrow("--state");
  });

  test.each(["2147483646", "", "nonsense"])("takes over a lock whose holder (%j) is gone", (holder) => {
    writeFileSync(join(directory, "edge.lock"), holder);
    lockState(directory)();
    lockState(directory)();
  });
});
