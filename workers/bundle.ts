/**
 * Builds a Worker into the modules that are uploaded, with wrangler's own bundler and without network.
 * Run by itself (`node workers/bundle.ts`) it builds all of them.
 *
 * Modules lie in `dist/workers/{name}/{hash of the modules}/` and are never changed once there: a path handed out stays
 * good while newer ones are made, and is the same as long as the modules are. Beside it a file named by the hash of the
 * sources holds the name of the directory that they gave.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { contentHash, hashContent } from "../provider/content/content-hash.ts";
import { modifiedAt, withLock } from "./build-lock.ts";

export const workerNames = ["dispatch", "tenant", "dashboard"] as const;
export type WorkerName = (typeof workerNames)[number];

export interface WorkerBundle {
  /** Absolute path of the directory that holds the Worker's modules, and nothing else. */
  path: string;
  /** Name of the entry module in it. */
  mainModule: string;
  /** {@link contentHash} of it: the same sources give the same hash on any machine. */
  contentHash: string;
  /** From the Worker's `wrangler.jsonc`, as `YYYY-MM-DD`. */
  compatibilityDate: string;
  /** From the Worker's `wrangler.jsonc`. */
  compatibilityFlags: string[];
}

const ROOT = resolve(import.meta.dirname, "..");
/** What any Worker may import, beside its own folder. */
const SHARED_SOURCES = ["workers/contracts", "workers/shared", "domain", "database"];
const SETTINGS = ["package-lock.json", "tsconfig.json", "workers/tsconfig.json"];
const NOT_SOURCES = new Set([".wrangler", "node_modules", "testing", "migrations"]);
/** Hexadecimal digits of a hash in a name. */
const HASH_LENGTH = 16;
const NOT_MODULES = new Set(["README.md"]);
/** Builds older than this that are no longer up to date are removed, in milliseconds. */
const KEEP_BUILDS_MS = 24 * 60 * 60 * 1000;

const wranglerConfig = z.object({
  compatibility_date: z.iso.date(),
  compatibility_flags: z.array(z.string()).default([]),
});

const running = new Map<WorkerName, Promise<WorkerBundle>>();

/**
 * Builds a Worker when its sources changed, one build at a time a Worker, across processes too.
 *
 * @throws Error with the bundler's message when the Worker does not build
 */
export function bundleWorker(name: WorkerName): Promise<WorkerBundle> {
  const existing = running.get(name);
  if (existing) return existing;
  const bundle = build(name).finally(() => running.delete(name));
  running.set(name, bundle);
  return bundle;
}

async function build(name: WorkerName): Promise<WorkerBundle> {
  const config = await readConfig(name);
  const builds = join(ROOT, "dist/workers", name);
  const record = join(builds, recordName(await hashSources(name)));
  let path = await readRecord(record, builds);
  if (path === undefined) {
    await mkdir(builds, { recursive: true });
    path = await withLock(
      `${record}.lock`,
      async () => (await readRecord(record, builds)) ?? buildInto(builds, record, name),
    );
    await removeOldBuilds(builds, [path, record]);
  }
  return {
    path,
    mainModule: "index.js",
    contentHash: contentHash(path),
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
  };
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

async function readConfig(name: WorkerName): Promise<z.infer<typeof wranglerConfig>> {
  const path = join("workers", name, "wrangler.jsonc");
  try {
    return wranglerConfig.parse(JSON.parse(withoutComments(await readFile(join(ROOT, path), "utf8"))));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`${path} cannot be read: ${reason}. It must be JSON, comments allowed, with a compatibility_date`);
  }
}

/** JSON with comments and trailing commas as plain JSON. */
function withoutComments(text: string): string {
  const string = /"(?:\\.|[^"\\])*"/.source;
  return text
    .replaceAll(new RegExp(`(${string})|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, "g"), "$1")
    .replaceAll(new RegExp(`(${string})|,(?=\\s*[}\\]])`, "g"), "$1");
}

async function hashSources(name: WorkerName): Promise<string> {
  const files = [...SETTINGS];
  for (const folder of [join("workers", name), ...SHARED_SOURCES]) {
    if (!existsSync(join(ROOT, folder))) continue;
    for (const file of await filesBelow(join(ROOT, folder))) {
      if (!/\.test\.tsx?$/.test(file)) files.push(`${folder}/${file}`);
    }
  }
  const sources = files.sort().map(async (name) => ({ name, bytes: await readFile(join(ROOT, name)) }));
  return hashContent(await Promise.all(sources)).slice(0, HASH_LENGTH);
}

/** @returns the directory of the modules */
async function buildInto(builds: string, record: string, name: WorkerName): Promise<string> {
  const staging = await mkdtemp(join(builds, ".build-"));
  try {
    await runWrangler(name, staging);
    for (const file of await readdir(staging)) {
      if (NOT_MODULES.has(file) || file.startsWith(".") || file.endsWith(".map")) {
        await rm(join(staging, file), { recursive: true });
      } else if (file.endsWith(".js")) {
        await removeLocations(join(staging, file));
      }
    }
    const directory = contentHash(staging).slice(0, HASH_LENGTH);
    const output = join(builds, directory);
    // The same modules may be there already, from other sources.
    await rename(staging, output).catch((error: unknown) => {
      if (!existsSync(output)) throw error;
    });
    // Sources that changed meanwhile may be in what was built, or not.
    if (basename(record) === recordName(await hashSources(name))) {
      await writeFile(`${record}.${process.pid}`, directory);
      await rename(`${record}.${process.pid}`, record);
    }
    return output;
  } finally {
    await rm(staging, { recursive: true, force: true });
    const scratch = join(ROOT, "workers", name, ".wrangler");
    await rm(join(scratch, "tmp"), { recursive: true, force: true });
    await rmdir(scratch).catch(() => undefined);
  }
}

/** The bundler names modules by where they lie; packages may lie elsewhere on another machine. */
async function removeLocations(module: string): Promise<void> {
  const code = await readFile(module, "utf8");
  await writeFile(
    module,
    code
      .replaceAll(/(?:\.\.\/)+(?:[^"'`\s]*\/)?node_modules\//g, "node_modules/")
      .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n"),
  );
}

async function runWrangler(name: WorkerName, outdir: string): Promise<void> {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const config = join("workers", name, "wrangler.jsonc");
  const args = [wrangler, "deploy", "--dry-run", "--outdir", outdir, "-c", config];
  try {
    // No credentials reach the bundler, and the banner's check for updates would use the network.
    await promisify(execFile)(process.execPath, args, {
      cwd: ROOT,
      maxBuffer: 16 * 1024 * 1024,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: outdir,
        XDG_CONFIG_HOME: join(outdir, ".config"),
        CI: "true",
        NO_COLOR: "1",
        WRANGLER_SEND_METRICS: "false",
        WRANGLER_SEND_ERROR_REPORTS: "false",
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_WRITE_LOGS: "false",
      },
    });
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`The ${name} Worker does not build: ${(stderr || stdout || message).trim()}`);
  }
}

async function removeOldBuilds(builds: string, keep: string[]): Promise<void> {
  for (const entry of await readdir(builds)) {
    const path = join(builds, entry);
    if (keep.includes(path) || Date.now() - (await modifiedAt(path)) < KEEP_BUILDS_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function filesBelow(directory: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (NOT_SOURCES.has(entry.name)) continue;
    if (!entry.isDirectory()) files.push(entry.name);
    else files.push(...(await filesBelow(join(directory, entry.name))).map((file) => `${entry.name}/${file}`));
  }
  return files.sort();
}

if (import.meta.main) {
  for (const name of workerNames) {
    try {
      const bundle = await bundleWorker(name);
      console.log(`${name}: ${bundle.path} (${bundle.contentHash.slice(0, 12)})`);
    } catch (error) {
      console.error((error as Error).message);
      process.exitCode = 1;
    }
  }
}
