/** What all tests of a run share: built Workers and pages, compiled modules, temporary files in memory, and a home of the engine's own. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { MADE_CLUSTERS_VARIABLE, removeMade } from "@tenantry/postgres/testing/made-cluster";
import { engineDirectory, ensureEngine } from "#local/tools/engine.mjs";
import { bundleWorker, workerNames } from "#workers/bundle.ts";
import { bundlePages } from "#workers/pages.ts";
import { startVault } from "./vault.ts";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
/** What the tests may write at a time, and far more than they do. */
const MEMORY_WANTED_BYTES = 4_000_000_000;

/** Has temporary files written to memory where there is enough of it: databases and states that live for a test only. */
function keepFilesInMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_WANTED_BYTES) return undefined;
  const directory = mkdtempSync(join(MEMORY, "t-"));
  // As /tmp: the database, containers and some tests run as other users.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  return directory;
}

/** @returns what removes it at the end of the run */
export default async function setup(): Promise<() => Promise<void>> {
  const memory = keepFilesInMemory();
  // As `local/tools/run.mjs` does, which `npx vitest` passes by.
  await ensureEngine();
  process.env.PATH = [engineDirectory(), process.env.PATH].join(delimiter);
  const home = mkdtempSync(join(tmpdir(), "tenantry-engine-"));
  // A file where the engine would make a directory: it keeps no log of its runs, which takes a tenth of their processor time.
  writeFileSync(join(home, "logs"), "");
  process.env.PULUMI_HOME = home;
  // Most programs that tests start take longer to load than they run.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/node");
  const clusters = mkdtempSync(join(tmpdir(), "tenantry-clusters-"));
  process.env[MADE_CLUSTERS_VARIABLE] = clusters;
  const vault = await startVault();
  Object.assign(process.env, vault.variables);
  // One after the other: a build keeps more than one core busy.
  for (const name of workerNames) await bundleWorker(name);
  await bundlePages();
  return async () => {
    await vault.stop();
    rmSync(home, { recursive: true, force: true });
    await removeMade(clusters);
    rmSync(clusters, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  };
}
