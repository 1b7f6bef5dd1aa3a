import { createPassThrough } from "#workers/shared/passage.ts";

/** An error event for clients of both OpenAI and Anthropic. The blank line ends an incomplete event. */
const ERROR_EVENT = `\n\nevent: error\ndata: ${JSON.stringify({
  type: "error",
  error: { type: "api_error", message: "The AI gateway's response ended early. Try again." },
})}\n\n`;

/** Returns a response that calls `end` when its body is complete, broken or cancelled. An event stream that breaks ends with an error event. */
export function withEnd(response: Response, end: () => void): Response {
  const { body, status, statusText, headers } = response;
  // A compressed body would be compressed again, which delays its parts.
  if (body === null || headers.has("content-encoding")) {
    end();
    return response;
  }
  const length = headers.get("content-length");
  const { readable, writable } = createPassThrough(length);
  // For a response without a length, the runtime does not report a broken body.
  const sendsError = length === null && /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
  body
    .pipeTo(writable, { preventAbort: sendsError })
    .catch(() => (sendsError ? sendErrorEvent(writable) : undefined))
    .finally(end);
  return new Response(readable, { status, statusText, headers });
}

async function sendErrorEvent(writable: WritableStream<Uint8Array>): Promise<void> {
  const writer = writable.getWriter();
  try {
    await writer.write(new TextEncoder().encode(ERROR_EVENT));
    await writer.close();
  } catch {
    // The caller disconnected.
  }
}
