/** The tenants' Worker of each release, kept in the database so that a tenant can go back to it whatever the service's own is by then. */
import { fork } from "node:child_process";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Kysely } from "kysely";
import * as z from "zod";
import type { DB } from "#database/types.ts";
import { bundleContent, keepBundle } from "#database/versions/bundles.ts";
import { RELEASE } from "#domain/release.ts";
import { type KeptBundle, keptBundle } from "#workers/contracts/kept-bundle.ts";
import { JobRefused } from "../jobs/refusals.ts";
import { parsedJson } from "../json.ts";
import { type Task, TaskError, task } from "../task.ts";
import { writeBundle } from "./bundle-directory.ts";

const BUILDER = join(import.meta.dirname, "../engine/own-bundle.ts");

/** The Worker of this release, built by a process of its own: the bundler takes memory that the service need not keep. */
function ownBundle(signal: AbortSignal): Promise<KeptBundle> {
  const child = fork(BUILDER, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new TaskError(`This release's Worker could not be built: code ${code}.`)));
    child.once("message", (said) => {
      const built = keptBundle.safeParse(said);
      if (built.success) resolve(built.data);
      else reject(new TaskError("This release's Worker could not be built; `npm run bundle` says why."));
    });
  });
}

/** Keeps this release's Worker in the catalogue. */
export const keepBundleTask: Task = task("keep_bundle", z.unknown(), async (_payload, { db, log, signal }) => {
  const bundle = await ownBundle(signal);
  const content = await promisify(gzip)(JSON.stringify(bundle));
  const { contentHash } = bundle;
  if (await keepBundle(db, { contentHash, release: RELEASE, content }))
    log("info", "bundle_kept", { bundle: contentHash, release: RELEASE });
});

/** A directory of kept bundles that no other user has written to. */
function cache(): string {
  const { uid } = userInfo();
  const directory = join(tmpdir(), `tenantry-bundles-${uid}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = lstatSync(directory);
  if (owner !== uid || (mode & 0o077) !== 0) {
    throw new TaskError(`Others than this service may write to ${directory}: remove it.`);
  }
  return directory;
}

/** The directory of a kept bundle, laid out when it is not there. @throws JobRefused when what is kept of it is no bundle */
export async function bundleDirectory(db: Kysely<DB>, id: string): Promise<string> {
  const { contentHash, content } = await bundleContent(db, id);
  const text = await promisify(gunzip)(content).catch(() => Buffer.alloc(0));
  const read = keptBundle.safeParse(parsedJson(text.toString("utf8")));
  if (!read.success || read.data.contentHash !== contentHash) {
    throw new JobRefused(
      `What is kept of the Worker ${contentHash.slice(0, 12)} is damaged: withdraw it, and choose another.`,
    );
  }
  const directory = join(cache(), contentHash);
  await writeBundle(directory, read.data);
  return directory;
}
