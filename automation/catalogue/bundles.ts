/** Stored bundles of the tenants' Worker of each release, so that a tenant can return to an earlier one. */
import { fork } from "node:child_process";
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { parsedJson } from "@tenantry/std/parsed-json";
import type { Kysely } from "kysely";
import * as z from "zod";
import type { DB } from "#database/types.ts";
import { bundleContent, storeBundle } from "#database/versions/bundles.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { RELEASE } from "#domain/release.ts";
import { BUNDLE_MODULES, BUNDLE_RECORD, keptBundle, type StoredBundle } from "#workers/contracts/stored-bundle.ts";
import { JobRefused } from "../jobs/refusals.ts";
import { defineTask, type Task, TaskError } from "../task.ts";

const BUILDER = join(import.meta.dirname, "../engine/own-bundle.ts");

/** Builds the Worker of this release in a process of its own, because the bundler needs much memory. */
function ownBundle(signal: AbortSignal): Promise<StoredBundle> {
  const child = fork(BUILDER, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new TaskError(outsideErrors.worker_not_built, { code: code ?? "none" })));
    child.once("message", (sent) => {
      const built = keptBundle.safeParse(sent);
      if (built.success) resolve(built.data);
      else reject(new TaskError(outsideErrors.worker_build_unreadable));
    });
  });
}

export const keepBundleTask: Task = defineTask("keep_bundle", z.unknown(), async (_payload, { db, log, signal }) => {
  const bundle = await ownBundle(signal);
  const content = await promisify(gzip)(JSON.stringify(bundle));
  const { contentHash } = bundle;
  if (await storeBundle(db, { contentHash, release: RELEASE, content }))
    log("info", "bundle_kept", { bundle: contentHash, release: RELEASE });
});

/** Returns a directory that only this user can access. */
function cacheDirectory(): string {
  const { uid } = userInfo();
  const directory = join(tmpdir(), `tenantry-bundles-${uid}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = lstatSync(directory);
  if (owner !== uid || (mode & 0o077) !== 0) {
    throw new TaskError(outsideErrors.bundle_directory_not_private, { directory });
  }
  return directory;
}

/** Returns the directory of a stored bundle, and writes it if missing. @throws JobRefused if the stored bundle is damaged */
export async function bundleDirectory(db: Kysely<DB>, id: string): Promise<string> {
  const { contentHash, content } = await bundleContent(db, id);
  const text = await promisify(gunzip)(content).catch(() => Buffer.alloc(0));
  const read = keptBundle.safeParse(parsedJson(text.toString("utf8")));
  if (!read.success || read.data.contentHash !== contentHash) {
    throw new JobRefused(outsideErrors.stored_worker_damaged, { hash: contentHash.slice(0, 12) });
  }
  const directory = join(cacheDirectory(), contentHash);
  await writeBundle(directory, read.data);
  return directory;
}

/** Writes a stored bundle to a directory atomically. Keeps an existing directory. */
export async function writeBundle(directory: string, { modules, ...record }: StoredBundle): Promise<void> {
  if (existsSync(directory)) return;
  const staging = `${directory}.${process.pid}.${crypto.randomUUID()}`;
  try {
    for (const [name, bytes] of Object.entries(modules)) {
      const file = join(staging, BUNDLE_MODULES, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(bytes, "base64"));
    }
    await writeFile(join(staging, BUNDLE_RECORD), JSON.stringify(record));
    await rename(staging, directory);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}
