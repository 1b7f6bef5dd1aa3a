/** Which blobs the account still needs. */
import type { Store } from "#account/store.ts";
import { assetBlobs } from "../../assets/manifest.ts";
import type { ScriptRecord } from "../record.ts";

/**
 * Removes the modules and files that no version of a script has any more. Only before anything runs: a process that is being replaced still
 * reads those of the version before, and an upload under way refers to what no record names yet.
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
