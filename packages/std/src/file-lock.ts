/** Lock files between processes. A lock file has the id of the process that holds it. */
import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs `work` while no other process runs its own under the same lock. It avoids duplicate work and does not guarantee exclusion: two
 * processes may take over the lock of a dead process at once.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(path))) await delay(100);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Acquires a lock, also that of a dead process. The caller removes the file. @returns whether it did */
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

/** Whether the process that holds a lock has ended. */
export async function isAbandoned(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, "utf8").catch(() => ""));
  // The owner has created the file and not yet written its id.
  if (!Number.isInteger(pid) || pid <= 0) return Date.now() - (await modifiedAt(lock)) > 10_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Returns when a file was modified, in milliseconds since the epoch. Default: now */
export async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
}
