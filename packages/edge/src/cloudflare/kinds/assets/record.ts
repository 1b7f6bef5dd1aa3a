export interface AssetConfig {
  html_handling?: "auto-trailing-slash" | "force-trailing-slash" | "drop-trailing-slash" | "none";
  not_found_handling?: "none" | "404-page" | "single-page-application";
  /** True for all requests, false for those without a file, or patterns. Default: `false`. */
  run_worker_first?: boolean | string[];
  _headers?: string;
  _redirects?: string;
}

export interface ScriptAssets {
  /** SHA-256 of the blob that holds the {@link AssetManifest}. */
  manifest: string;
  config: AssetConfig;
}

export interface StoredAsset {
  /** 32 hexadecimal digits that the client computes; also the `ETag`. */
  hash: string;
  /** The blob's key. */
  sha256: string;
  /** Media type; null for none. */
  type: string | null;
}

/** Files by path with a leading slash. */
export type AssetManifest = Readonly<Record<string, StoredAsset>>;
