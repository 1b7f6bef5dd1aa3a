/** Reads a request's body up to a limit, whatever it says of its length. */

/**
 * What is read and dropped of a body beyond its limit, in bytes: a client that is still sending when it is refused may lose the
 * answer with its connection.
 */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** The body is larger than the limit. */
export class BodyTooLarge extends Error {
  override name = "BodyTooLarge";
}

/** Reads a body that is refused whatever it holds, as far as is worth it. */
export async function dropBody(request: Request): Promise<void> {
  await readBounded(request, 0).catch(() => {});
}

/**
 * The body's bytes. What goes beyond `limit` is not kept, and of what is far beyond a small one nothing more is read.
 *
 * @param limit in bytes
 * @throws BodyTooLarge
 */
export async function readBounded(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = request;
  if (body === null) return new Uint8Array();
  const most = Math.max(limit, MAX_READ_BYTES);
  if (Number(request.headers.get("content-length") ?? 0) > most) {
    await body.cancel();
    throw new BodyTooLarge();
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length <= limit) chunks.push(value);
    else chunks.length = 0;
    if (length > most) {
      await reader.cancel();
      break;
    }
  }
  if (length > limit) throw new BodyTooLarge();
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
