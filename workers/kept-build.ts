/**
 * Builds that are made once for the same sources, one at a time, across processes too.
 *
 * What was built lies in `{builds}/{hash of it}/` and is never changed once there: a path handed out stays good while newer ones are
 * made, and is the same as long as the content is. Beside it a file named by the hash of the sources holds the name of the directory
 * that they gave.
 */
import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { contentHash, hashContent } from "@tenantry/cloudflare-client/content";
import { modifiedAt, withLock } from "@tenantry/std/file-lock";

/** Hexadecimal digits of a hash in a name. */
const HASH_LENGTH = 16;
/** Builds older than this that are no longer up to date are removed, in milliseconds. */
const KEEP_BUILDS_MS = 24 * 60 * 60 * 1000;
const NOT_SOURCES = [".wrangler", "node_modules", "testing", "migrations"];

export interface BuildOptions {
  /** Directory of the builds. */
  builds: string;
  /** Where paths of sources begin. */
  root: string;
  /** Files and folders that it is made of, as paths below `root`. What is not there is left out, as tests are. */
  sources: readonly string[];
  /** Names of folders among the sources that are none. */
  except?: readonly string[];
  /** Writes what is built into an empty directory. */
  make: (directory: string) => Promise<void>;
}

/** @returns absolute path of the directory that holds what was built, and nothing else */
export async function keptBuild(options: BuildOptions): Promise<string> {
  const { builds } = options;
  const record = join(builds, recordName(hashSources(options)));
  let path = await readRecord(record, builds);
  if (path === undefined) {
    await mkdir(builds, { recursive: true });
    path = await withLock(
      `${record}.lock`,
      async () => (await readRecord(record, builds)) ?? buildInto(record, options),
    );
    await removeOldBuilds(builds, [path, record]);
  }
  return path;
}

function recordName(sources: string): string {
  return `${sources}.sources`;
}

/** The directory that a record names, when both are there. */
async function readRecord(record: string, builds: string): Promise<string | undefined> {
  const directory = await readFile(record, "utf8").catch(() => undefined);
  if (directory === undefined) return undefined;
  const path = join(builds, directory);
  return existsSync(path) ? path : undefined;
}

function hashSources({ root, sources, except = [] }: BuildOptions): string {
  return hashFiles(root, sources, [...NOT_SOURCES, ...except]);
}

/**
 * Hash of the names and contents of files, without tests. It reads hundreds of small files before each run of the engine, which takes a
 * quarter of the processor time without promises.
 *
 * @param except names of folders to leave out
 */
export function hashFiles(root: string, sources: readonly string[], except: readonly string[]): string {
  const found = sources.flatMap((source) => filesAt(root, source, new Set(except)));
  const files = [...new Set(found)].filter((file) => !/\.test\.tsx?$/.test(file)).sort();
  return hashContent(files.map((name) => ({ name, bytes: readFileSync(join(root, name)) }))).slice(0, HASH_LENGTH);
}

async function buildInto(record: string, options: BuildOptions): Promise<string> {
  const { builds, make } = options;
  const staging = await mkdtemp(join(builds, ".build-"));
  try {
    await make(staging);
    const directory = contentHash(staging).slice(0, HASH_LENGTH);
    const output = join(builds, directory);
    // The same may be there already, from other sources.
    await rename(staging, output).catch((error: unknown) => {
      if (!existsSync(output)) throw error;
    });
    // Sources that changed meanwhile may be in what was built, or not.
    if (basename(record) === recordName(hashSources(options))) {
      await writeFile(`${record}.${process.pid}`, directory);
      await rename(`${record}.${process.pid}`, record);
    }
    return output;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function removeOldBuilds(builds: string, keep: string[]): Promise<void> {
  for (const entry of await readdir(builds)) {
    const path = join(builds, entry);
    if (keep.includes(path) || Date.now() - (await modifiedAt(path)) < KEEP_BUILDS_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function filesAt(root: string, path: string, except: ReadonlySet<string>): string[] {
  const entries = entriesOf(join(root, path));
  if (entries === undefined) return [path];
  return entries
    .filter(({ name }) => !except.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesAt(root, `${path}/${entry.name}`, except) : [`${path}/${entry.name}`],
    );
}

/** @returns `undefined` for a file; nothing for what is not there */
function entriesOf(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return undefined;
    if (code === "ENOENT") return [];
    throw error;
  }
}
