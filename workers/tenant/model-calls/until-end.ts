/** Watches over an answer while it streams. */
import { passage } from "#workers/shared/passage.ts";

/** Clients of OpenAI's and of Anthropic's shape alike take it for an error. The blank line ends a piece that came by half. */
const BROKEN_OFF = `\n\nevent: error\ndata: ${JSON.stringify({
  type: "error",
  error: { type: "api_error", message: "The AI gateway's answer broke off; try again." },
})}\n\n`;

/** @param over called once the answer is whole, broken off or no longer wanted */
export function untilEnd(answer: Response, over: () => void): Response {
  const { body, status, statusText, headers } = answer;
  // One that is packed, though that was not asked for, would be packed anew, and wait for more than a piece.
  if (body === null || headers.has("content-encoding")) {
    over();
    return answer;
  }
  const length = headers.get("content-length");
  const { readable, writable } = passage(length);
  // The runtime ends an answer without a length as if it were whole.
  const isTold = length === null && /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
  body
    .pipeTo(writable, { preventAbort: isTold })
    .catch(() => (isTold ? tell(writable) : undefined))
    .finally(over);
  return new Response(readable, { status, statusText, headers });
}

async function tell(writable: WritableStream<Uint8Array>): Promise<void> {
  const writer = writable.getWriter();
  try {
    await writer.write(new TextEncoder().encode(BROKEN_OFF));
    await writer.close();
  } catch {
    // It was the caller who went away.
  }
}
