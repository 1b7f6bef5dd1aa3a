const CHUNK_BYTES = 256 * 1024;

/** Replaces `pipeTo`, which in some runtime versions does not close a command's input after a large body. */
export async function pump(body: ReadableStream, to: WritableStream): Promise<void> {
  const reader = body.getReader({ mode: "byob" });
  const writer = to.getWriter();
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(CHUNK_BYTES));
      if (value !== undefined && value.byteLength > 0) await writer.write(value);
      if (done) break;
    }
    await writer.close();
  } catch (error) {
    await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
    throw error;
  }
}
