/** A lock of one sandbox that never outlives its holder. */
import { createHash } from "node:crypto";
import { createServer } from "node:net";

/**
 * Takes the lock `name` of the sandbox whose run directory is given; it is held until this process ends.
 *
 * @returns whether it was free
 */
export function takeLock(name, runDirectory) {
  const digest = createHash("sha256").update(runDirectory).digest("hex");
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    // The kernel frees an abstract socket with its process.
    server.listen(`\0tenantry-${name}-${digest}`, () => {
      server.unref();
      resolve(true);
    });
  });
}
