/** Reads a request's body and unpacks it, up to a limit. */
import { gunzipSync } from "node:zlib";
import { BodyTooLarge, readBounded } from "#workers/shared/bounded-body.ts";

/** The body is not what its `Content-Encoding` says. */
export class BodyDamaged extends Error {
  override name = "BodyDamaged";
}

/**
 * @param limit in bytes, for the body as it is sent and as it is unpacked
 * @throws BodyTooLarge
 * @throws BodyDamaged when it is said to be gzip and is not
 */
export async function readUnpacked(request: Request, limit: number): Promise<Uint8Array> {
  const sent = await readBounded(request, limit);
  if (contentEncoding(request) !== "gzip") return sent;
  try {
    return gunzipSync(sent, { maxOutputLength: limit });
  } catch (error) {
    // A `RangeError` is of the limit; every other error is of the format.
    throw error instanceof RangeError ? new BodyTooLarge() : new BodyDamaged();
  }
}

/** In lower case; `identity` when there is none. */
export function contentEncoding(request: Request): string {
  return request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}
