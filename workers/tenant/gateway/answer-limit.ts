/** Limits how long the gateway may take to begin an answer; the answer itself, and a WebSocket, may then take for ever. */

import { passage } from "#workers/shared/passage.ts";

/** From the end of the request's body to the answer's head, in milliseconds: as long as Cloudflare waits for an origin (error 524). */
export const ANSWER_TIMEOUT_MS = 120_000;
/** How long a request's body may take to be taken in, in milliseconds. */
const BODY_TIMEOUT_MS = 15 * 60 * 1000;

/** The gateway did not begin its answer in time. */
export class AnswerOverdue extends Error {
  override name = "AnswerOverdue";
}

/** The body in a stream of its own, which still tells its length where that was known, and when all of it was passed on. */
function watched(body: ReadableStream, length: string | null): { readable: ReadableStream; sent: Promise<void> } {
  const { readable, writable } = passage(length);
  return { readable, sent: body.pipeTo(writable) };
}

/**
 * Asks the gateway.
 *
 * @param limitMs how long its answer's head may take, in milliseconds
 * @throws AnswerOverdue when it took longer, or `ask`'s error
 */
export async function answerWithin(
  limitMs: number,
  request: Request,
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  const limit = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const overdue = new Promise<never>((_, reject) => {
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason), { once: true });
  });
  const expireIn = (ms: number): void => {
    clearTimeout(timer);
    const expire = (): void => limit.abort(new AnswerOverdue("the gateway did not begin its answer in time"));
    if (!over) timer = setTimeout(expire, ms);
  };
  const init: RequestInit = { signal: limit.signal };
  // One that is read may have a body as well, which no new request can be given.
  if (request.body === null || request.method === "GET" || request.method === "HEAD") expireIn(limitMs);
  else {
    expireIn(BODY_TIMEOUT_MS);
    const { readable, sent } = watched(request.body, request.headers.get("content-length"));
    init.body = readable;
    // A body that breaks off shows in the answer, or in its failure.
    sent.then(() => expireIn(limitMs)).catch(() => {});
  }
  try {
    return await Promise.race([ask(new Request(request, init)), overdue]);
  } finally {
    over = true;
    clearTimeout(timer);
  }
}
