import type { Store } from "#account/store.ts";
import type { AssetManifest, ScriptAssets } from "./record.ts";

/** @returns the SHA-256, the key for {@link readManifest} */
export function writeManifest(store: Store, manifest: AssetManifest): string {
  const sorted = Object.entries(manifest).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return store.writeBlob(Buffer.from(JSON.stringify(Object.fromEntries(sorted))));
}

export function readManifest(store: Store, { manifest }: ScriptAssets): AssetManifest {
  // Only `writeManifest` writes these blobs.
  return JSON.parse(store.readBlob(manifest).toString("utf8")) as AssetManifest;
}

export function assetBlobs(store: Store, assets: ScriptAssets): string[] {
  return [assets.manifest, ...Object.values(readManifest(store, assets)).map(({ sha256 }) => sha256)];
}
