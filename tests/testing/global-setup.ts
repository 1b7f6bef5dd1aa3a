/** Prepares a run of tests: built Workers and pages, compiled modules, temporary files in memory, and a home for the engine. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { removeClusters, TEST_CLUSTERS_VARIABLE } from "@tenantry/postgres/testing/prepared-cluster";
import { engineDirectory, engineHome, ensureEngine } from "#local/tools/engine.mjs";
import { bundleWorker, workerNames } from "#workers/bundle.ts";
import { bundlePages } from "#workers/pages.ts";
import { startVault } from "./vault.ts";

/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/** More than the tests need at a time. */
const MEMORY_WANTED_BYTES = 4_000_000_000;

/** Writes temporary files to memory if there is enough of it. */
function keepFilesInMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_WANTED_BYTES) return undefined;
  const directory = mkdtempSync(join(MEMORY, "t-"));
  // Like /tmp, because the database, containers and some tests run as other users.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  return directory;
}

/** @returns cleans up at the end of the run */
export default async function setup(): Promise<() => Promise<void>> {
  const memory = keepFilesInMemory();
  // `npx vitest` does not run `local/tools/run.mjs`, which does this.
  await ensureEngine();
  process.env.PATH = [engineDirectory(), process.env.PATH].join(delimiter);
  const home = mkdtempSync(join(tmpdir(), "tenantry-engine-"));
  // A file instead of the directory prevents the engine's logs, which take a tenth of its processor time.
  writeFileSync(join(home, "logs"), "");
  // Programs that tests start would build the engine again if this home had none.
  symlinkSync(join(engineHome(), "versions"), join(home, "versions"));
  process.env.PULUMI_HOME = home;
  // Most programs that tests start take longer to load than to run.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/node");
  const clusters = mkdtempSync(join(tmpdir(), "tenantry-clusters-"));
  process.env[TEST_CLUSTERS_VARIABLE] = clusters;
  const vault = await startVault();
  Object.assign(process.env, vault.variables);
  // Sequentially, because a build uses more than one core.
  for (const name of workerNames) await bundleWorker(name);
  await bundlePages();
  return async () => {
    await vault.stop();
    rmSync(home, { recursive: true, force: true });
    await removeClusters(clusters);
    rmSync(clusters, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  };
}
