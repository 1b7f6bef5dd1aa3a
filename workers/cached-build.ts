/**
 * Caches builds by the hash of their sources, across processes.
 *
 * The output is in `{builds}/{hash of the output}/` and is never changed, so a returned path remains valid during later builds. The file
 * `{hash of the sources}.sources` has the name of the output directory.
 */
import { randomUUID } from "node:crypto";
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { contentHash, hashDigests, sha256 } from "@tenantry/cloudflare-client/content";
import { modifiedAt, withLock } from "@tenantry/std/file-lock";

const HASH_LENGTH = 16;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const NOT_SOURCES = [".wrangler", "node_modules", "testing", "migrations"];

export interface BuildOptions {
  builds: string;
  root: string;
  /** Files and folders below `root`. Missing ones and tests are ignored. */
  sources: readonly string[];
  /** Names of folders to ignore. */
  except?: readonly string[];
  make: (directory: string) => Promise<void>;
}

export async function cachedBuild(options: BuildOptions): Promise<string> {
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

async function readRecord(record: string, builds: string): Promise<string | undefined> {
  const directory = await readFile(record, "utf8").catch(() => undefined);
  if (directory === undefined) return undefined;
  const path = join(builds, directory);
  return existsSync(path) ? path : undefined;
}

const hashSources = ({ root, sources, except = [] }: BuildOptions): string =>
  hashFiles(root, sources, [...NOT_SOURCES, ...except]);

/** Hashes names and contents of files, without tests. Synchronous reads take a quarter of the processor time of promises. */
export function hashFiles(root: string, sources: readonly string[], except: readonly string[]): string {
  const found = sources.flatMap((source) => filesAt(root, source, new Set(except)));
  const files = [...new Set(found)].filter((file) => !/\.test\.tsx?$/.test(file)).sort();
  return hashDigests(files.map((name) => ({ name, digest: digestOf(join(root, name)) }))).slice(0, HASH_LENGTH);
}

interface Digest {
  changedAt: number;
  size: number;
  digest: string;
}

/** By path. All builds of a run have most sources in common. */
const digests = new Map<string, Digest>();
/** Within this time a file may change without a later time. */
const TIME_RESOLUTION_MS = 2_000;

function digestOf(path: string): string {
  const { ctimeMs: changedAt, size } = statSync(path);
  const known = digests.get(path);
  if (known?.changedAt === changedAt && known.size === size) return known.digest;
  const digest = sha256(readFileSync(path));
  if (Date.now() - changedAt > TIME_RESOLUTION_MS) digests.set(path, { changedAt, size, digest });
  return digest;
}

async function buildInto(record: string, options: BuildOptions): Promise<string> {
  const { builds, make } = options;
  // Unlike a temporary directory, other users may read it: an image is built by root, and used by another user.
  const staging = join(builds, `.build-${randomUUID()}`);
  await mkdir(staging);
  try {
    await make(staging);
    const directory = contentHash(staging).slice(0, HASH_LENGTH);
    const output = join(builds, directory);
    // Other sources may have the same output.
    await rename(staging, output).catch((error: unknown) => {
      if (!existsSync(output)) throw error;
    });
    // If sources changed meanwhile, the output may have either version.
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
    if (keep.includes(path) || Date.now() - (await modifiedAt(path)) < MAX_AGE_MS) continue;
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

/** @returns undefined for a file; no entries for a missing path */
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
