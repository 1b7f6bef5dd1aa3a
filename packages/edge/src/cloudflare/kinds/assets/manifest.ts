/** Manifests of scripts' files in the blob store. */
import type { Store } from "#account/store.ts";
import type { AssetManifest, ScriptAssets } from "./record.ts";

/** @returns the SHA-256 under which {@link readManifest} finds it */
export function writeManifest(store: Store, manifest: AssetManifest): string {
  const sorted = Object.entries(manifest).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return store.writeBlob(Buffer.from(JSON.stringify(Object.fromEntries(sorted))));
}

export function readManifest(store: Store, { manifest }: ScriptAssets): AssetManifest {
  // Only `writeManifest` writes what a record names.
  return JSON.parse(store.readBlob(manifest).toString("utf8")) as AssetManifest;
}

/** The blobs that a script's files are made of. */
export function assetBlobs(store: Store, assets: ScriptAssets): string[] {
  return [assets.manifest, ...Object.values(readManifest(store, assets)).map(({ sha256 }) => sha256)];
}
