import { expect, test, vi } from "vitest";
import { readCpu } from "./cpu-meter.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  // Thread 0 does not exist.
  return { ...fs, readdirSync: (path: string) => ["0", ...fs.readdirSync(path)] };
});

test("ignores a thread that ends while the process is read", () => {
  expect(readCpu(process.pid)?.ran).toBeGreaterThan(0);
});

test("returns undefined for a process that has ended", () => {
  expect(readCpu(2_147_483_646)).toBeUndefined();
});
