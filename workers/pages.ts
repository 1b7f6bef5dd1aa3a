/** Builds the dashboard's pages with Vite, without network. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { contentHash } from "@tenantry/cloudflare-client/content";
import { buildErrors } from "#domain/errors/builds.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { cachedBuild } from "./cached-build.ts";
import { PAGE_FILES_PATH } from "./contracts/pages.ts";

export interface PagesBundle {
  path: string;
  /** {@link contentHash} of the directory. */
  contentHash: string;
}

const ROOT = resolve(import.meta.dirname, "..");
export const PAGES_FOLDER = "ui";
const PAGES = `workers/dashboard/${PAGES_FOLDER}`;
export const PAGES_SOURCES: readonly string[] = [
  ...[
    "workers/pages.ts",
    PAGES,
    "workers/contracts",
    "workers/shared/page",
    "domain",
    "packages/client",
    "packages/cloudflare-limits",
    "packages/std",
    "packages/webhooks",
  ],
  ...["package-lock.json", "tsconfig.json"],
];

let running: Promise<PagesBundle> | undefined;

/** Builds the pages if their sources have changed. Concurrent callers share one build. @throws Error with Vite's message */
export function bundlePages(): Promise<PagesBundle> {
  running ??= build().finally(() => {
    running = undefined;
  });
  return running;
}

async function build(): Promise<PagesBundle> {
  const path = await cachedBuild({
    builds: join(ROOT, "dist/pages"),
    root: ROOT,
    sources: PAGES_SOURCES,
    make: makePages,
  });
  return { path, contentHash: contentHash(path) };
}

async function makePages(directory: string): Promise<void> {
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  const args = [
    ...[vite, "build", "--config", join(PAGES, "vite.config.ts"), "--outDir", directory],
    // Public: served without the Worker.
    ...["--assetsDir", PAGE_FILES_PATH.slice(1)],
  ];
  try {
    const env = { PATH: process.env.PATH ?? "", HOME: directory, NODE_ENV: "production", NO_COLOR: "1" };
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new Error(errorText(buildErrors.pages_build_failed, { cause: (stderr || message).trim() }));
  }
}
