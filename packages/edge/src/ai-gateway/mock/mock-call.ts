import type { Call } from "../call.ts";

export interface MockCall extends Pick<Call, "provider" | "method" | "endpoint" | "json" | "model" | "streams"> {
  id: string;
}

/** Returns a stream of server-sent events. Each chunk follows when the previous one was read. */
export function streamResponse(chunks: readonly string[]): Response {
  const encoder = new TextEncoder();
  const rest = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = rest.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(encoder.encode(chunk));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}
