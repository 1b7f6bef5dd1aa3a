/** Lock files between processes. A lock file has the id of the process that holds it. */
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Age in milliseconds after which an unfinished step of a lock's owner counts as killed. A step takes less than a millisecond. */
const KILLED_MS = 10_000;

/** Runs `work` while no other process runs its own under the same lock. */
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
  return (await create(path)) || ((await isAbandoned(path)) && (await takeOver(path)));
}

/** @returns false if the lock exists */
async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** Replaces the lock of a dead process. One process at a time does, or it would remove the lock of one that has just taken over. */
async function takeOver(path: string): Promise<boolean> {
  const guard = `${path}.takeover`;
  if (!(await create(guard))) {
    if (Date.now() - (await modifiedAt(guard)) > KILLED_MS) await rm(guard, { force: true });
    return false;
  }
  try {
    if (!(await isAbandoned(path))) return false;
    await rm(path, { force: true });
    return await create(path);
  } finally {
    await rm(guard, { force: true });
  }
}

/** Whether the process that holds a lock has ended. */
export async function isAbandoned(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, "utf8").catch(() => ""));
  // The owner has created the file and not yet written its id.
  if (!Number.isInteger(pid) || pid <= 0) return Date.now() - (await modifiedAt(lock)) > KILLED_MS;
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
