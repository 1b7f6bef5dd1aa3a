/** Clusters of tests. Creating one takes longer than most tests do, so each kind is created once per run and copied. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "@tenantry/std/file-lock";
import { openCluster, removeCluster } from "../cluster.ts";

/** Environment variable that names the folder of the clusters to copy from. */
export const TEST_CLUSTERS_VARIABLE = "POSTGRES_TEST_CLUSTERS";

/**
 * Copies an empty cluster into a new database's directory. Does nothing when the run has no folder of clusters.
 *
 * @param port of the database, if it is free. Default: any
 */
export async function copyEmptyCluster(directory: string, port: number | null = null): Promise<void> {
  if (process.env[TEST_CLUSTERS_VARIABLE] !== undefined)
    await copyOrCreateCluster(directory, "empty", openCluster, port);
}

/**
 * Copies a cluster of a kind into a new database's directory. Creates it by `make` when the run has none.
 *
 * @param name of the kind, such as `empty`
 * @param make creates a cluster in a directory and leaves it stopped
 */
export async function copyOrCreateCluster(
  directory: string,
  name: string,
  make: (directory: string) => Promise<unknown>,
  port: number | null = null,
): Promise<void> {
  const folder = process.env[TEST_CLUSTERS_VARIABLE];
  if (folder === undefined) {
    await make(directory);
    return;
  }
  const source = join(folder, name);
  const ready = `${source}.ready`;
  if (!existsSync(ready))
    await withLock(`${source}.lock`, async () => {
      if (existsSync(ready)) return;
      // Left by a failed attempt.
      await removeCluster(source);
      await make(source);
      await writeFile(ready, "");
    });
  await copyCluster(source, directory, { port });
}

/** Removes all clusters of a run. */
export async function removeClusters(folder: string): Promise<void> {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    await removeCluster(join(folder, name, "postgres"));
    await removeCluster(join(folder, name));
  }
}

/**
 * Copies a stopped cluster.
 *
 * @param options.port of the copy. Default: that of the last start
 * @param options.home directory of data that is outside the cluster. Default: a new temporary directory
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
  // The user of the data must be able to enter its directory.
  const home = file.home === null ? null : (options.home ?? (await mkdtemp(join(tmpdir(), "postgres-"))));
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
