import { gunzipSync } from "node:zlib";
import { BodyTooLarge, readBounded } from "#workers/shared/bounded-body.ts";

/** The body does not match its `Content-Encoding`. */
export class BodyDamaged extends Error {
  override name = "BodyDamaged";
}

/**
 * Reads a request's body and decompresses it.
 *
 * @param limit maximum size in bytes, both compressed and uncompressed
 * @throws BodyTooLarge
 * @throws BodyDamaged when it is not valid gzip
 */
export async function readUnpacked(request: Request, limit: number): Promise<Uint8Array> {
  const body = await readBounded(request, limit);
  if (contentEncoding(request) !== "gzip") return body;
  try {
    return gunzipSync(body, { maxOutputLength: limit });
  } catch (error) {
    // `RangeError` reports the limit; other errors report the format.
    throw error instanceof RangeError ? new BodyTooLarge() : new BodyDamaged();
  }
}

/** Returns the content encoding in lower case. */
export function contentEncoding(request: Request): string {
  return request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}
