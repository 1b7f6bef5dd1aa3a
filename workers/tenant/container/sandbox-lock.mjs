/** A lock of one sandbox that never outlives its holder. */
import { statSync } from "node:fs";
import { createServer } from "node:net";

/**
 * Takes the lock `name` of the sandbox whose run directory is given, which must exist; it is held until this process ends.
 *
 * @returns whether it was free
 */
export function takeLock(name, runDirectory) {
  // Sandboxes that share a network have the same paths, each in a file system of its own.
  const { dev, ino } = statSync(runDirectory);
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    // The kernel frees an abstract socket with its process.
    server.listen(`\0tenantry-${name}-${dev}-${ino}`, () => {
      server.unref();
      resolve(true);
    });
  });
}
