/**
 * Caches snapshots by the content of their sources. A snapshot contains ports, so each process takes one of its own:
 *
 *   {kept}/{hash of the content}/{number}/         a snapshot, complete once `snapshot.json` exists
 *   {kept}/{hash of the content}/{number}.lock     the process that uses it
 */
import { rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAbandoned, tryLock } from "@tenantry/std/file-lock";
import { freePort } from "@tenantry/std/free-port";
import * as z from "zod";
import { hashFiles } from "#workers/cached-build.ts";
import { copySnapshot, type Snapshot } from "./platform-snapshot.ts";

const ROOT = join(import.meta.dirname, "../..");
const KEPT = join(ROOT, "node_modules/.cache/tenantry/platforms");
/** All sources of a deployment. */
const SOURCES = [
  ...["automation", "components", "database", "domain", "local", "packages", "policy", "stack", "workers"],
  ...["index.ts", "Pulumi.yaml", "package-lock.json", "tests/testing"],
];
const NOT_SOURCES = [".wrangler", "node_modules"];

/** The database's files name their directory, so a snapshot of a moved checkout is not complete. */
const manifest = z.object({ directory: z.string(), port: z.number(), databaseUrl: z.string() });
const MANIFEST = "snapshot.json";
const LOCK = ".lock";

/** The key includes the day, because some of what is deployed depends on it. */
function contentKey(): string {
  const hash = hashFiles(ROOT, SOURCES, NOT_SOURCES);
  return `${new Date().toISOString().slice(0, 10)}-${hash}`;
}

/**
 * Returns a snapshot for this process until it ends. `deploy` creates it if none is cached, or its ports are taken.
 *
 * @param options.kept directory of all snapshots
 * @param options.key of the content. Default: of this version's
 */
export async function keptSnapshot(
  deploy: () => Promise<Snapshot>,
  options: { kept?: string; key?: string } = {},
): Promise<Snapshot> {
  const { kept = KEPT, key = contentKey() } = options;
  const ofContent = join(kept, key);
  try {
    await mkdir(ofContent, { recursive: true });
  } catch {
    // Another user owns the packages, so nothing can be cached.
    return deploy();
  }
  const directory = await takeDirectory(ofContent);
  await removeOthers(kept, key);
  const found = await completeSnapshot(directory);
  if (found !== undefined) return found;
  await rm(directory, { recursive: true, force: true });
  const made = await deploy();
  try {
    await keep(made, directory);
  } catch {
    // On a full disk, tests use the created snapshot.
    await rm(directory, { recursive: true, force: true });
  }
  return made;
}

async function keep(made: Snapshot, directory: string): Promise<void> {
  await mkdir(directory);
  await copySnapshot(made, directory, join(directory, "database"));
  const { port, databaseUrl } = made;
  await writeFile(
    join(directory, MANIFEST),
    JSON.stringify({ directory, port, databaseUrl } satisfies z.infer<typeof manifest>),
  );
}

/** Of this process. */
const locks = new Set<string>();
process.once("exit", () => {
  for (const lock of locks) rmSync(lock, { force: true });
});

/** Takes the first directory that no running process uses. */
async function takeDirectory(ofContent: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const directory = join(ofContent, String(number));
    const lock = `${directory}${LOCK}`;
    if (!(await tryLock(lock))) continue;
    locks.add(lock);
    return directory;
  }
}

/** Returns a complete snapshot whose ports are free. */
async function completeSnapshot(directory: string): Promise<Snapshot | undefined> {
  const text = await readFile(join(directory, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { port, databaseUrl, ...kept } = manifest.parse(JSON.parse(text));
  if (kept.directory !== directory) return undefined;
  for (const wanted of [port, Number(new URL(databaseUrl).port)]) {
    if ((await freePort(wanted)) !== wanted) return undefined;
  }
  return { directory, port, databaseUrl };
}

/** Removes snapshots of other content that no run uses. */
async function removeOthers(kept: string, key: string): Promise<void> {
  for (const other of await readdir(kept)) {
    if (other === key) continue;
    const directory = join(kept, other);
    const inUse = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(LOCK));
    const abandoned = await Promise.all(inUse.map((name) => isAbandoned(join(directory, name))));
    if (abandoned.every(Boolean)) await rm(directory, { recursive: true, force: true });
  }
}
