/** Builds the dashboard's pages into the files that are deployed beside its Worker, with Vite and without network. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { contentHash } from "@tenantry/cloudflare-client/content";
import { keptBuild } from "./kept-build.ts";

export interface PagesBundle {
  /** Absolute path of the directory that holds the pages' files, and nothing else. */
  path: string;
  /** {@link contentHash} of it. */
  contentHash: string;
}

const ROOT = resolve(import.meta.dirname, "..");
/** Of the dashboard Worker's folder. */
export const PAGES_FOLDER = "ui";
const PAGES = `workers/dashboard/${PAGES_FOLDER}`;
/** What pages may import, beside their own folder. */
const SOURCES = ["workers/pages.ts", PAGES, "workers/contracts", "domain", "package-lock.json", "tsconfig.json"];

let running: Promise<PagesBundle> | undefined;

/**
 * Builds the pages when their sources changed, one build at a time, across processes too.
 *
 * @throws Error with the builder's message when they do not build
 */
export function bundlePages(): Promise<PagesBundle> {
  running ??= build().finally(() => {
    running = undefined;
  });
  return running;
}

async function build(): Promise<PagesBundle> {
  const path = await keptBuild({ builds: join(ROOT, "dist/pages"), root: ROOT, sources: SOURCES, make: makePages });
  return { path, contentHash: contentHash(path) };
}

async function makePages(directory: string): Promise<void> {
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--config", join(PAGES, "vite.config.ts"), "--outDir", directory];
  try {
    // Whoever builds them, they are built for production.
    const env = { PATH: process.env.PATH ?? "", HOME: directory, NODE_ENV: "production", NO_COLOR: "1" };
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new Error(`The dashboard's pages do not build: ${(stderr || message).trim()}`);
  }
}
