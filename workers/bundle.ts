/** Builds Workers with wrangler's bundler, without network. `node workers/bundle.ts` builds all of them and the dashboard's pages. */
import { execFile } from "node:child_process";
import { readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { contentHash } from "@tenantry/cloudflare-client/content";
import * as z from "zod";
import { buildErrors } from "#domain/errors/builds.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { cachedBuild } from "./cached-build.ts";
import { bundlePages, PAGES_FOLDER } from "./pages.ts";

export const workerNames = ["dispatch", "tenant", "dashboard"] as const;
export type WorkerName = (typeof workerNames)[number];

export interface WorkerBundle {
  path: string;
  mainModule: string;
  /** {@link contentHash} of the directory. The same sources have the same hash on all machines. */
  contentHash: string;
  /** As `YYYY-MM-DD`. */
  compatibilityDate: string;
  compatibilityFlags: string[];
}

const ROOT = resolve(import.meta.dirname, "..");
/** What every Worker may import. */
export const SHARED_SOURCES: readonly string[] = [
  "workers/contracts",
  "workers/shared",
  "domain",
  "database",
  "packages/cloudflare-limits",
  "packages/std",
  "packages/webhooks",
];
const SETTINGS = ["package-lock.json", "tsconfig.json", "workers/tsconfig.json", "workers/bundle.ts"];
const NOT_MODULES = new Set(["README.md"]);

const wranglerConfig = z.object({
  compatibility_date: z.iso.date(),
  compatibility_flags: z.array(z.string()).default([]),
});

const running = new Map<WorkerName, Promise<WorkerBundle>>();

/**
 * Builds a Worker if its sources have changed. Concurrent callers, also in other processes, share one build.
 *
 * @throws Error with the bundler's message
 */
export function bundleWorker(name: WorkerName): Promise<WorkerBundle> {
  const existing = running.get(name);
  if (existing) return existing;
  const bundle = buildWorker(name).finally(() => running.delete(name));
  running.set(name, bundle);
  return bundle;
}

async function buildWorker(name: WorkerName): Promise<WorkerBundle> {
  const config = await readConfig(name);
  const path = await cachedBuild({
    builds: join(ROOT, "dist/workers", name),
    root: ROOT,
    sources: [...SETTINGS, join("workers", name), ...SHARED_SOURCES],
    except: [PAGES_FOLDER],
    make: (directory) => makeModules(name, directory),
  });
  return {
    path,
    mainModule: "index.js",
    contentHash: contentHash(path),
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
  };
}

async function readConfig(name: WorkerName): Promise<z.infer<typeof wranglerConfig>> {
  const path = join("workers", name, "wrangler.jsonc");
  try {
    return wranglerConfig.parse(JSON.parse(withoutComments(await readFile(join(ROOT, path), "utf8"))));
  } catch (error) {
    const cause = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(errorText(buildErrors.worker_configuration_invalid, { path, cause }));
  }
}

/** Removes comments and trailing commas from JSON. */
function withoutComments(text: string): string {
  const string = /"(?:\\.|[^"\\])*"/.source;
  return text
    .replaceAll(new RegExp(`(${string})|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, "g"), "$1")
    .replaceAll(new RegExp(`(${string})|,(?=\\s*[}\\]])`, "g"), "$1");
}

async function makeModules(name: WorkerName, directory: string): Promise<void> {
  try {
    await runWrangler(name, directory);
    for (const file of await readdir(directory)) {
      if (NOT_MODULES.has(file) || file.startsWith(".") || file.endsWith(".map")) {
        await rm(join(directory, file), { recursive: true });
      } else if (file.endsWith(".js")) {
        await removeLocations(join(directory, file));
      }
    }
  } finally {
    const scratch = join(ROOT, "workers", name, ".wrangler");
    await rm(join(scratch, "tmp"), { recursive: true, force: true });
    await rmdir(scratch).catch(() => undefined);
  }
}

/** The bundler includes paths of packages, which differ between machines. */
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
  const args = [wrangler, "deploy", "--dry-run", "--minify", "--outdir", outdir, "-c", config];
  try {
    // Without credentials and without network: the banner checks for updates.
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
    throw new Error(errorText(buildErrors.worker_build_failed, { name, cause: (stderr || stdout || message).trim() }));
  }
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
  const pages = await bundlePages();
  console.log(`pages: ${pages.path} (${pages.contentHash.slice(0, 12)})`);
}
