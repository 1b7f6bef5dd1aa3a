import { statSync } from "node:fs";
import { createServer } from "node:net";

/** Takes a lock of a sandbox until this process ends. @param runDirectory must exist @returns whether the lock was free */
export function takeLock(name, runDirectory) {
  // Sandboxes may share a network and use the same paths, but each has its own file system.
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
