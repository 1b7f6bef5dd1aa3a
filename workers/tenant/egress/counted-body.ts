/** Counts the bytes of bodies. */

/** Bytes that are counted together. The runtime may end the request with its client, so the last ones may be lost. */
const STEP_BYTES = 1024 * 1024;

/** Returns the declared length of a body, 0 without one; `undefined` if only its transfer shows it. */
export function declaredBytes(headers: Headers, body: ReadableStream | null): number | undefined {
  if (body === null) return 0;
  const length = headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Returns a stream of the same bytes. @param count receives further bytes */
export function countBody(body: ReadableStream | null, count: (bytes: number) => void): ReadableStream | null {
  if (body === null) return null;
  let bytes = 0;
  const { readable, writable } = new IdentityTransformStream();
  const pass = async () => {
    const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
    const writer = writable.getWriter();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        await writer.write(value);
        bytes += value.byteLength;
        if (bytes < STEP_BYTES) continue;
        count(bytes);
        bytes = 0;
      }
      await writer.close();
    } catch (error) {
      await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
    }
  };
  void pass().finally(() => bytes > 0 && count(bytes));
  return readable;
}
