import type { Store } from "#account/store.ts";
import { assetBlobs } from "../../assets/manifest.ts";
import type { ScriptRecord } from "../record.ts";

/**
 * Deletes the blobs that no version references. Only safe at startup: later, replaced processes still read old blobs, and uploads in
 * progress refer to unreferenced ones.
 */
export function collectBlobs(store: Store): void {
  const versions = store
    .list("script")
    .flatMap((script) => [script, script.next as ScriptRecord | undefined])
    .filter((version) => version !== undefined);
  const kept = versions.flatMap(({ modules, assets }) => [
    ...modules.map(({ sha256 }) => sha256),
    ...(assets === undefined ? [] : assetBlobs(store, assets)),
  ]);
  store.keepBlobs(new Set(kept));
}
