/** Hears of an answer's end while it streams. */
import { passage } from "../../shared/passage.ts";

/** @param over called once the answer is whole, broken off or no longer wanted */
export function untilEnd(answer: Response, over: () => void): Response {
  const { body, status, statusText, headers } = answer;
  // One that is packed, though that was not asked for, would be packed anew, and wait for more than a piece.
  if (body === null || headers.has("content-encoding")) {
    over();
    return answer;
  }
  const { readable, writable } = passage(headers.get("content-length"));
  body
    .pipeTo(writable)
    .catch(() => {})
    .finally(over);
  return new Response(readable, { status, statusText, headers });
}
