import { rejectionBy } from "@tenantry/std/within";

/** Bytes that are read and discarded beyond the limit, as in {@link dropBody}. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export class BodyTooLarge extends Error {
  override name = "BodyTooLarge";
}

export class BodyTooSlow extends Error {
  override name = "BodyTooSlow";
}

/** For the rest of a refused request's body. */
const DROP_MS = 5_000;

/** Reads and discards the body of a refused request, unless it was read: a client that is still sending may not receive the response. */
export async function dropBody(request: Request): Promise<void> {
  if (request.bodyUsed) return;
  await readBounded(request, 0, AbortSignal.timeout(DROP_MS)).catch(() => {});
}

/**
 * Reads the body of a request or response of at most `limit` bytes, regardless of its declared length.
 *
 * @param until aborts the reading. Default: never
 * @throws BodyTooLarge, BodyTooSlow
 */
export async function readBounded(
  request: Pick<Request, "body" | "headers">,
  limit: number,
  until?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = request;
  if (body === null) return new Uint8Array();
  const maxRead = Math.max(limit, MAX_READ_BYTES);
  if (Number(request.headers.get("content-length") ?? 0) > maxRead) {
    await body.cancel();
    throw new BodyTooLarge();
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stop = () => void reader.cancel().catch(() => {});
  until?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length <= limit) chunks.push(value);
      else chunks.length = 0;
      if (length > maxRead) {
        await reader.cancel();
        break;
      }
    }
  } catch (error) {
    // workerd rejects the read that is canceled.
    if (!until?.aborted) throw error;
  } finally {
    until?.removeEventListener("abort", stop);
  }
  if (until?.aborted) throw new BodyTooSlow();
  if (length > limit) throw new BodyTooLarge();
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Reads the body of a received request as {@link readBounded}, at once if its length is declared. */
export async function readRequest(
  request: Request,
  limit: number,
  until?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  // HTTP ends a body at its declared length, and reading chunks takes several times as long.
  if (!(declared <= limit)) return readBounded(request, limit, until);
  const body = request.arrayBuffer();
  if (until === undefined) return new Uint8Array(await body);
  return new Uint8Array(await Promise.race([body, rejectionBy(until, () => new BodyTooSlow())]));
}
