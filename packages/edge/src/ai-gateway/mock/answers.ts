/** A provider's two ways to answer. */
export function jsonAnswer(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

/** Each piece when the one before was taken, so that a client sees them come one by one. */
export function streamAnswer(pieces: readonly string[]): Response {
  const encoder = new TextEncoder();
  const rest = [...pieces];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = rest.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(encoder.encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}
