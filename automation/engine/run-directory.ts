/** Directories of runs. Their names have the host and process, so that directories of killed processes can be found. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = `tenantry-run-${hostname()}-`;

export function makeRunDirectory(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes directories of this host's processes that have ended. */
export function removeLeftDirectories(): void {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(PREFIX) && isGone(Number.parseInt(name.slice(PREFIX.length), 10))) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists and has another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
