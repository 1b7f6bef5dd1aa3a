/** A lock file between processes: it holds the number of the process that has it. */
import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs `work` while no other process runs its own under the same lock. It saves doing the same twice, no more: a lock
 * whose owner has died is taken over, and two may do so at once.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(path))) await delay(100);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Takes a lock, also one whose owner has died. @returns whether it did; who has it removes the file */
export async function tryLock(path: string): Promise<boolean> {
  for (;;) {
    try {
      const lock = await open(path, "wx");
      await lock.writeFile(String(process.pid));
      await lock.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (!(await isAbandoned(path))) return false;
      await rm(path, { force: true });
    }
  }
}

/** Whether the process that has a lock is gone. */
export async function isAbandoned(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, "utf8").catch(() => ""));
  // Its owner has made the file and not yet written its number.
  if (!Number.isInteger(pid) || pid <= 0) return Date.now() - (await modifiedAt(lock)) > 10_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Milliseconds since the epoch; now for a file that is gone. */
export async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
}
