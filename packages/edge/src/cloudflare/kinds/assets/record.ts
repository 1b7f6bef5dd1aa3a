/** Files that a Worker serves beside its code, as its record has them. */

/** How requests are matched with files; texts are as they were uploaded. */
export interface AssetConfig {
  html_handling?: "auto-trailing-slash" | "force-trailing-slash" | "drop-trailing-slash" | "none";
  not_found_handling?: "none" | "404-page" | "single-page-application";
  /** Which requests go to the Worker first: all, none but those without a file, or those that rules name. Default: `false`. */
  run_worker_first?: boolean | string[];
  /** Text of a `_headers` file. */
  _headers?: string;
  /** Text of a `_redirects` file. */
  _redirects?: string;
}

export interface ScriptAssets {
  /** SHA-256 of the blob that holds the {@link AssetManifest}. */
  manifest: string;
  config: AssetConfig;
}

/** A file that was uploaded; its bytes lie in the blob store. */
export interface StoredAsset {
  /** 32 hexadecimal digits by which the client knows it, and clients of the Worker too, as its `ETag`. */
  hash: string;
  /** SHA-256 of its bytes, under which they are stored. */
  sha256: string;
  /** Media type; null where it is served without one. */
  type: string | null;
}

/** Every file by its path, which begins with a slash. */
export type AssetManifest = Readonly<Record<string, StoredAsset>>;
