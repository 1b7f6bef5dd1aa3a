import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { killTree } from "./engine.ts";

/** Returns command lines of processes that sleep for a number of seconds. */
const sleepers = (seconds: string) =>
  readdirSync("/proc").filter((entry) => {
    try {
      return readFileSync(`/proc/${entry}/cmdline`, "utf8") === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });

/** Long, because the machine may be busy. The processes sleep for longer. */
const SOON = { timeout: 40_000 };

test("kills processes that are started while all are being killed", async () => {
  for (let time = 0; time < 5; time++) {
    const seconds = `61.${process.pid}${time}`;
    const { pid } = spawn("sh", ["-c", `i=0; while [ $i -lt 2000 ]; do sleep ${seconds} & i=$((i+1)); done; wait`]);
    if (pid === undefined) throw new Error("There is no shell.");
    await expect.poll(() => sleepers(seconds).length, SOON).toBeGreaterThan(20);
    killTree(pid);
    await expect.poll(() => sleepers(seconds), SOON).toEqual([]);
  }
});
