/**
 * Outlives the edge to clean up after it where containers are plain processes: reads a pipe whose other end only the edge holds,
 * and when that ends (an orderly stop, a crash, kill -9) ends every process with the marker given as its argument.
 */
import { endProcesses } from "./processes.ts";

const [marker] = process.argv.slice(2);
if (!marker) throw new Error("usage: guard.ts MARKER");

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});

process.stdin.on("error", () => {});
process.stdin.resume();
process.stdin.once("close", async () => {
  // What cannot be ended yet, such as a process that waits for a disk, may be later.
  while (
    !(await endProcesses(marker).then(
      () => true,
      () => false,
    ))
  );
  process.exit(0);
});
