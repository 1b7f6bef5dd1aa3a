/** Reads `postmaster.pid` of a data directory (`pidfile.h` of Postgres). */
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 20;
/** A server stops when its parent dies, so one that is ready after this time has a running parent. */
const ORPHAN_GRACE_MS = 2_000;
const SHUTDOWN_MS = 60_000;

interface Postmaster {
  pid: number;
  status: string;
}

/** Returns the server that `postmaster.pid` names, running or not. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { pid: Math.abs(Number(lines[0])), status: lines[7]?.trim() ?? "" };
}

/**
 * Waits until no server uses `data`. Removes a `postmaster.pid` whose process id now belongs to another program.
 *
 * @throws Error when the server of another running process uses it
 */
export async function waitUntilUnused(data: string): Promise<void> {
  const start = Date.now();
  for (;;) {
    const postmaster = await readPostmaster(data);
    if (postmaster === undefined) return;
    if (!(await isPostgresOn(data, postmaster.pid))) {
      await rm(join(data, "postmaster.pid"), { force: true });
      return;
    }
    const waited = Date.now() - start;
    if (waited > (postmaster.status === "stopping" ? SHUTDOWN_MS : ORPHAN_GRACE_MS)) {
      const server = `Postgres is process ${postmaster.pid}`;
      throw new Error(`Another process uses the database in ${data} (${server}). Stop it first.`);
    }
    await delay(POLL_MS);
  }
}

/** The working directory of Postgres is its data directory; that of a later process with the same id is not. */
async function isPostgresOn(data: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === (await realpath(data));
}
