/** Database clusters of tests: made once a run, and copied, as making one takes longer than most tests do. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openCluster } from "../../local/database/cluster.ts";
import { withLock } from "../../workers/build-lock.ts";

/** Names where the run keeps the cluster that others are copied from. */
export const MADE_CLUSTER_VARIABLE = "TENANTRY_MADE_CLUSTER";

/** Lays an empty cluster into the directory of a database that was never started; nothing where no run of tests keeps one. */
export async function layCluster(directory: string): Promise<void> {
  const made = process.env[MADE_CLUSTER_VARIABLE];
  if (made === undefined) return;
  const ready = join(made, "ready");
  if (!existsSync(ready))
    await withLock(join(made, "lock"), async () => {
      if (existsSync(ready)) return;
      await openCluster(join(made, "postgres"));
      await writeFile(ready, "");
    });
  const file: { home: string | null; password: string; port: null } = JSON.parse(
    readFileSync(join(made, "postgres/postgres.json"), "utf8"),
  );
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // As root the data lie where their user may enter.
  const home = file.home === null ? null : await mkdtemp(join(tmpdir(), "tenantry-"));
  if (home !== null) await chmod(home, 0o711);
  const data = join(file.home ?? join(made, "postgres"), "data");
  await promisify(execFile)("cp", ["-Rp", data, join(home ?? directory, "data")]);
  await writeFile(join(directory, "postgres.json"), JSON.stringify({ ...file, home }), { mode: 0o600 });
}
