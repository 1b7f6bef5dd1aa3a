/**
 * Outlives the edge to clean up after it where containers are plain processes: reads a pipe whose other end only the edge holds,
 * and when that ends (an orderly stop, a crash, kill -9) ends every process with the marker given as its argument.
 */
import { setTimeout as delay } from "node:timers/promises";
import { endProcesses } from "./processes.ts";

/** A process is invisible for a moment between fork and exec, so one empty pass proves nothing. */
const EMPTY_PASSES = 5;
const PASS_INTERVAL_MS = 50;

const [marker] = process.argv.slice(2);
if (!marker) throw new Error("usage: guard.ts MARKER");

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});

process.stdin.on("error", () => {});
process.stdin.resume();
process.stdin.once("close", async () => {
  for (let empty = 0; empty < EMPTY_PASSES; ) {
    const ended = await endProcesses(marker).catch(() => 1);
    empty = ended === 0 ? empty + 1 : 0;
    await delay(PASS_INTERVAL_MS);
  }
  process.exit(0);
});
