/** What `postmaster.pid` of a data directory says of the server that runs on it (source: Postgres, `pidfile.h`). */
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 20;
/** A server whose edge was killed is told to stop at once, so one still ready after this belongs to a living edge. */
const ORPHAN_GRACE_MS = 2_000;
const SHUTDOWN_MS = 60_000;

export interface Postmaster {
  pid: number;
  status: string;
}

/** The server that `postmaster.pid` names, alive or not; `undefined` when there is no such file. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { pid: Math.abs(Number(lines[0])), status: lines[7]?.trim() ?? "" };
}

/**
 * Waits until no server runs on `data`, and removes a `postmaster.pid` whose number another program has been given since.
 *
 * @throws Error when a server of another living edge uses it
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
      throw new Error(
        `Another local edge uses the database in ${data} (Postgres is process ${postmaster.pid}): stop it first.`,
      );
    }
    await delay(POLL_MS);
  }
}

/** Postgres works in its data directory, which tells it from a later process of the same number. */
async function isPostgresOn(data: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return directory !== undefined && directory === (await realpath(data));
}
