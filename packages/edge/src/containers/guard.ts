/**
 * Ends every process with the marker in its argument when the edge has ended in any way, for containers that are plain processes. It reads a
 * pipe that only the edge holds open.
 */
import { endProcesses } from "./isolation/processes.ts";

const [marker] = process.argv.slice(2);
if (!marker) throw new Error("usage: guard.ts MARKER");

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});

process.stdin.on("error", () => {});
process.stdin.resume();
process.stdin.once("close", async () => {
  // A process that waits for a disk cannot be ended until later.
  while (
    !(await endProcesses(marker).then(
      () => true,
      () => false,
    ))
  );
  process.exit(0);
});
