/** Bundles of other releases: how they are kept, and how the program finds one again. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentHash, readContent } from "@tenantry/cloudflare-client/content";
import { BUNDLE_MODULES, BUNDLE_RECORD, bundleRecord, type KeptBundle } from "#workers/contracts/kept-bundle.ts";
import type { WorkerBundle } from "./bundle.ts";

/** A bundle with its modules' bytes. */
export function bundleToKeep({ path, ...told }: WorkerBundle): KeptBundle {
  const modules = readContent(path).map(({ name, bytes }) => [name, bytes.toString("base64")]);
  return { ...told, modules: Object.fromEntries(modules) };
}

/** @throws Error that names the directory when it holds no bundle, or other modules than it says */
export async function readKeptBundle(directory: string): Promise<WorkerBundle> {
  const text = await readFile(join(directory, BUNDLE_RECORD), "utf8").catch(() => {
    throw new Error(`${directory} holds no ${BUNDLE_RECORD}: it is no kept bundle of a Worker`);
  });
  const told = bundleRecord.parse(JSON.parse(text));
  const path = join(directory, BUNDLE_MODULES);
  if (contentHash(path) !== told.contentHash) {
    throw new Error(`the modules in ${directory} are not those of ${told.contentHash}; remove the directory`);
  }
  return { ...told, path };
}
