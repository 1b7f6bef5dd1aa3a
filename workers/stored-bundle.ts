import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentHash, readContent } from "@tenantry/cloudflare-client/content";
import { BUNDLE_MODULES, BUNDLE_RECORD, bundleRecord, type StoredBundle } from "#workers/contracts/stored-bundle.ts";
import type { WorkerBundle } from "./bundle.ts";

export function serializeBundle({ path, ...attributes }: WorkerBundle): StoredBundle {
  const modules = readContent(path).map(({ name, bytes }) => [name, bytes.toString("base64")]);
  return { ...attributes, modules: Object.fromEntries(modules) };
}

/** @throws Error when the directory has no bundle, or its modules do not match their hash */
export async function readStoredBundle(directory: string): Promise<WorkerBundle> {
  const text = await readFile(join(directory, BUNDLE_RECORD), "utf8").catch(() => {
    throw new Error(`${directory} has no ${BUNDLE_RECORD}, so it is not a stored bundle of a Worker`);
  });
  const attributes = bundleRecord.parse(JSON.parse(text));
  const path = join(directory, BUNDLE_MODULES);
  if (contentHash(path) !== attributes.contentHash) {
    throw new Error(
      `The modules in ${directory} do not match the hash ${attributes.contentHash}. Remove the directory.`,
    );
  }
  return { ...attributes, path };
}
