/** Directories that runs work in: named for their process, so that what a killed one left is known for that. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** Of this host's; the process's id follows. */
const PREFIX = `tenantry-run-${hostname()}-`;

/** @returns the path of a new one of this process */
export function makeRunDirectory(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes those of this host's processes that are gone. */
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
    // One of another user is there too.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
