/** Responses with the tenant Worker's own pages. */
import { errorCodes } from "#domain/errors/codes.ts";
import type { StatedError } from "#domain/errors/stated.ts";
import { acceptsHtml, pageResponse } from "#workers/shared/page/answer.ts";
import { FailurePage } from "./failure-page.tsx";
import { LoadingPage } from "./loading-page.tsx";
import { visitorOf } from "./visitor.ts";

const RETRY_SECONDS = 2;

/** Whether to answer a request with a page. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === "GET" || method === "HEAD") && !headers.has("upgrade") && acceptsHtml(headers);
}

/** Returns the page to show while the gateway starts. */
export function loadingResponse(request: Request): Promise<Response> {
  const visitor = visitorOf(request);
  return pageResponse((nonce) => <LoadingPage {...visitor} nonce={nonce} />, {
    status: errorCodes.gateway_starting.status,
    brand: visitor.brand,
    headers: { "retry-after": String(RETRY_SECONDS) },
    // The gateway's own pages may show some of its addresses in frames.
    isFramed: true,
    hasScript: true,
    isHead: request.method === "HEAD",
  });
}

/** Returns the page to show when the gateway failed to respond. */
export function failureResponse(request: Request, { code, message }: StatedError): Promise<Response> {
  const visitor = visitorOf(request);
  return pageResponse((nonce) => <FailurePage {...visitor} code={code} message={message} nonce={nonce} />, {
    status: errorCodes[code].status,
    brand: visitor.brand,
    isFramed: true,
    isHead: request.method === "HEAD",
  });
}
