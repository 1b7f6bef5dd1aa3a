import type { Store } from "#account/store.ts";
import { assetBlobs } from "../../assets/manifest.ts";
import type { ScriptRecord } from "../record.ts";

/** Deletes unreferenced blobs. Only safe at startup: replaced processes read old blobs, and uploads refer to unreferenced ones. */
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
