import { createHash } from "node:crypto";
import type { AssetManifest } from "../../cloudflare/kinds/assets/record.ts";

/** Bytes before the entries and of one entry: hash of the path, hash of the content, 8 more. */
const HEADER = 20;
const PATH_HASH = 16;
const ENTRY = 40;

/** Encodes a manifest for the vendor's asset Worker: one entry per path, sorted by the hash of the path. */
export function binaryManifest(manifest: AssetManifest): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(manifest)
    .map(([path, { hash }]) => ({ path: createHash("sha256").update(path).digest().subarray(0, PATH_HASH), hash }))
    .toSorted((a, b) => a.path.compare(b.path));
  const bytes = new Uint8Array(HEADER + entries.length * ENTRY);
  for (const [index, { path, hash }] of entries.entries()) {
    const at = HEADER + index * ENTRY;
    bytes.set(path, at);
    bytes.set(Buffer.from(hash, "hex"), at + PATH_HASH);
  }
  return bytes;
}
