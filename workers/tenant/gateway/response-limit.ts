/** Limits how long the gateway may take to start its response. The response body and WebSockets have no limit. */

import { rejectionBy } from "@tenantry/std/within";
import { createPassThrough } from "#workers/shared/passage.ts";

/** Time limit from the end of the request's body to the response's head, in milliseconds: Cloudflare's own for an origin (error 524). */
export const RESPONSE_TIMEOUT_MS = 120_000;
/** Time limit for the transfer of a request's body, in milliseconds. */
const BODY_TIMEOUT_MS = 15 * 60 * 1000;

/** The gateway did not start its response in time. */
export class ResponseTimeout extends Error {
  override name = "ResponseTimeout";
}

/**
 * Sends a request to the gateway.
 *
 * @param timeoutMs time limit for the response's head, in milliseconds
 * @throws ResponseTimeout, or the error of `send`
 */
export async function respondWithin(
  timeoutMs: number,
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const limit = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settled = false;
  const expired = rejectionBy(limit.signal);
  const expireIn = (ms: number): void => {
    clearTimeout(timer);
    const expire = () => limit.abort(new ResponseTimeout("The gateway did not start its response in time."));
    if (!settled) timer = setTimeout(expire, ms);
  };
  const init: RequestInit = { signal: limit.signal };
  // A GET request may have a body too, but `Request` does not accept one.
  if (request.body === null || request.method === "GET" || request.method === "HEAD") expireIn(timeoutMs);
  else {
    expireIn(BODY_TIMEOUT_MS);
    const { readable, writable } = createPassThrough(request.headers.get("content-length"));
    init.body = readable;
    // A broken body makes `send` fail.
    request.body.pipeTo(writable).then(
      () => expireIn(timeoutMs),
      () => {},
    );
  }
  try {
    return await Promise.race([send(new Request(request, init)), expired]);
  } finally {
    settled = true;
    clearTimeout(timer);
  }
}
