/** What all tests of a run share: built Workers, compiled modules, and a home of the engine's own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeCluster } from "../../local/database/cluster.ts";
import { bundleWorker, workerNames } from "../../workers/bundle.ts";
import { MADE_CLUSTER_VARIABLE } from "./made-cluster.ts";

/** @returns what removes it at the end of the run */
export default async function setup(): Promise<() => Promise<void>> {
  // Each call of the engine goes through all logs of its home, and leaves one there.
  const home = mkdtempSync(join(tmpdir(), "tenantry-engine-"));
  process.env.PULUMI_HOME = home;
  // Most programs that tests start take longer to load than they run.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/node");
  const madeCluster = mkdtempSync(join(tmpdir(), "tenantry-cluster-"));
  process.env[MADE_CLUSTER_VARIABLE] = madeCluster;
  // One after the other: a build keeps more than one core busy.
  for (const name of workerNames) await bundleWorker(name);
  return async () => {
    rmSync(home, { recursive: true, force: true });
    await removeCluster(join(madeCluster, "postgres"));
    rmSync(madeCluster, { recursive: true, force: true });
  };
}
