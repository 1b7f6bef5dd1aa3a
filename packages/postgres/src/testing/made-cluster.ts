/** Database clusters of tests: made once a run, and copied, as making one takes longer than most tests do. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "@tenantry/std/file-lock";
import { openCluster, removeCluster } from "../cluster.ts";

/** Names where the run keeps the clusters that others are copied from. */
export const MADE_CLUSTERS_VARIABLE = "TENANTRY_MADE_CLUSTERS";

/**
 * Lays an empty cluster into the directory of a database that was never started; nothing where no run of tests keeps any.
 *
 * @param port of the database, if it is free. Default: any
 */
export async function layCluster(directory: string, port: number | null = null): Promise<void> {
  if (process.env[MADE_CLUSTERS_VARIABLE] !== undefined) await layMade(directory, "empty", openCluster, port);
}

/**
 * Lays what `make` makes into the directory of a database that was never started: a copy where the run keeps one.
 *
 * @param name of the kind, such as `empty`
 * @param make makes one in a directory, and leaves it stopped
 */
export async function layMade(
  directory: string,
  name: string,
  make: (directory: string) => Promise<unknown>,
  port: number | null = null,
): Promise<void> {
  const kept = process.env[MADE_CLUSTERS_VARIABLE];
  if (kept === undefined) {
    await make(directory);
    return;
  }
  const made = join(kept, name);
  const ready = `${made}.ready`;
  if (!existsSync(ready))
    await withLock(`${made}.lock`, async () => {
      if (existsSync(ready)) return;
      // What a failure left.
      await removeCluster(made);
      await make(made);
      await writeFile(ready, "");
    });
  await copyCluster(made, directory, { port });
}

/** Removes all that a run keeps. */
export async function removeMade(kept: string): Promise<void> {
  for (const { name } of readdirSync(kept, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    await removeCluster(join(kept, name, "postgres"));
    await removeCluster(join(kept, name));
  }
}

/**
 * Copies a stopped cluster.
 *
 * @param options.port of the copy. Default: that of the last start
 * @param options.home where the data lie of a cluster whose data lie apart. Default: a new temporary directory, which their user may enter
 */
export async function copyCluster(
  from: string,
  directory: string,
  options: { port?: number | null; home?: string } = {},
): Promise<void> {
  const file: { home: string | null; password: string; port: number | null } = JSON.parse(
    readFileSync(join(from, "postgres.json"), "utf8"),
  );
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // As root the data lie where their user may enter.
  const home = file.home === null ? null : (options.home ?? (await mkdtemp(join(tmpdir(), "tenantry-"))));
  if (home !== null) {
    await mkdir(home, { recursive: true });
    await chmod(home, 0o711);
  }
  const data = join(file.home ?? from, "data");
  await promisify(execFile)("cp", ["-Rp", data, join(home ?? directory, "data")]);
  await writeFile(
    join(directory, "postgres.json"),
    JSON.stringify({ ...file, home, ...(options.port !== undefined && { port: options.port }) }),
    { mode: 0o600 },
  );
}
