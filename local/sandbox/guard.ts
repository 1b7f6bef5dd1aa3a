/**
 * Outlives the edge to clean up after it: reads a pipe whose other end only the edge holds, and when that ends (an orderly
 * stop, a crash, kill -9) ends every process of the sandboxes under the directory given as its first argument and removes
 * the directory of sockets given as its second.
 */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { endProcesses } from "./processes.ts";

/** A process is invisible for a moment between fork and exec, so one empty pass proves nothing. */
const EMPTY_PASSES = 5;
const PASS_INTERVAL_MS = 50;

const [directory, sockets] = process.argv.slice(2);
if (!directory?.startsWith("/") || !sockets?.startsWith("/"))
  throw new Error("usage: guard.ts /directory/of/sandboxes /directory/of/sockets");

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});

process.stdin.on("error", () => {});
process.stdin.resume();
process.stdin.once("close", async () => {
  for (let empty = 0; empty < EMPTY_PASSES; ) {
    const ended = await endProcesses(directory, 0).catch(() => 1);
    empty = ended === 0 ? empty + 1 : 0;
    await delay(PASS_INTERVAL_MS);
  }
  rmSync(sockets, { recursive: true, force: true });
  process.exit(0);
});
