import { requestErrors } from "#domain/errors/api/requests.ts";
import { isOwnOrigin } from "#workers/shared/own-origin.ts";
import { failure } from "./failure.tsx";

/**
 * Refuses changes that a browser sends for another origin. Tenants are same-site with the dashboard, so that requests of their pages have its
 * cookies.
 *
 * @throws Failure `forbidden`
 */
export function requireSameOrigin(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForeign(request)) throw failure(requestErrors.foreign_origin);
}

/** Whether a browser sends the request for another origin. */
export function isForeign(request: Request): boolean {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (origin === null) return site !== null && site !== "same-origin" && site !== "none";
  // Forms of the dashboard's pages have no origin because of their `Referrer-Policy`; sandboxed pages have none either.
  if (origin === "null") return site !== "same-origin";
  return !isOwnOrigin(origin, new URL(request.url));
}
