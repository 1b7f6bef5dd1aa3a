import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Locks a state directory for this process by the file `edge.lock`.
 *
 * @returns a function that releases the lock
 * @throws Error when a running process holds the lock
 */
export function lockState(directory: string): () => void {
  const path = join(directory, "edge.lock");
  for (;;) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = Number(readFileSync(path, "utf8"));
    if (isAlive(holder)) {
      throw new Error(
        `Another edge uses ${directory} (process ${holder}). Stop it, or choose another directory with --state.`,
      );
    }
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
