/** A manifest in the form that the vendor's asset Worker searches: one entry a path, in the order of the paths' hashes. */
import { createHash } from "node:crypto";
import type { AssetManifest } from "../../cloudflare/kinds/assets/record.ts";

/** Bytes before the entries, and of the parts of one. */
const HEADER = 20;
const PATH_HASH = 16;
const CONTENT_HASH = 16;
const TAIL = 8;

export function binaryManifest(manifest: AssetManifest): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(manifest)
    .map(([path, { hash }]) => ({ path: createHash("sha256").update(path).digest().subarray(0, PATH_HASH), hash }))
    .toSorted((a, b) => a.path.compare(b.path));
  const bytes = new Uint8Array(HEADER + entries.length * (PATH_HASH + CONTENT_HASH + TAIL));
  for (const [index, { path, hash }] of entries.entries()) {
    const at = HEADER + index * (PATH_HASH + CONTENT_HASH + TAIL);
    bytes.set(path, at);
    bytes.set(Buffer.from(hash, "hex"), at + PATH_HASH);
  }
  return bytes;
}
