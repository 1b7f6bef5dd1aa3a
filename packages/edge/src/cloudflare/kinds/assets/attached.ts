import type { ApiContext } from "../../api/context.ts";
import { ApiError } from "../../api/operations.ts";
import { writeManifest } from "./manifest.ts";
import type { AssetsMetadata } from "./metadata.ts";
import type { AssetConfig, ScriptAssets } from "./record.ts";

/** @param before files of the previous version @throws ApiError 400 for an invalid completion token, or no previous files */
export function attachedAssets(
  { assetUploads, store }: Pick<ApiContext, "assetUploads" | "store">,
  script: string,
  given: { assets?: AssetsMetadata | null | undefined; keep_assets?: boolean | null | undefined },
  before: ScriptAssets | undefined,
): { assets?: ScriptAssets } {
  const { assets: metadata, keep_assets } = given;
  const config = metadata ? assetConfigOf(metadata) : undefined;
  if (metadata?.jwt) {
    const manifest = assetUploads.completed(metadata.jwt, script);
    if (manifest === undefined) {
      throw new ApiError(400, 10021, "assets.jwt is not a completion token of this script, or has expired.");
    }
    return { assets: { manifest: writeManifest(store, manifest), config: config ?? {} } };
  }
  if (keep_assets && before !== undefined)
    return { assets: { ...before, ...(metadata?.config && config && { config }) } };
  if (metadata) throw new ApiError(400, 10021, "assets.jwt is missing, and the script has no assets to keep.");
  return {};
}

/** Returns the configuration without missing fields. */
function assetConfigOf({ config: given }: AssetsMetadata): AssetConfig {
  const { html_handling, not_found_handling, serve_directly, _headers, _redirects } = given ?? {};
  const first = given?.run_worker_first ?? (typeof serve_directly === "boolean" ? !serve_directly : undefined);
  return {
    ...(html_handling && { html_handling }),
    ...(not_found_handling && { not_found_handling }),
    ...(first !== undefined && { run_worker_first: first }),
    ...(_headers && { _headers }),
    ...(_redirects && { _redirects }),
  };
}
