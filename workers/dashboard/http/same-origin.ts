import { isOwnOrigin } from "#workers/shared/own-origin.ts";
import { Failure } from "./failure.tsx";

/**
 * Refuses a change that a browser sends on behalf of another site. All tenants are one site with the dashboard, so that cookies come
 * along with what their pages send.
 *
 * @throws Failure `forbidden`
 */
export function requireSameOrigin(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForeign(request)) throw new Failure("forbidden", "Changes are taken from the dashboard's own pages alone.");
}

/** Whether a browser sends it on behalf of another site. */
export function isForeign(request: Request): boolean {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (origin === null) return site !== null && site !== "same-origin" && site !== "none";
  // What a form of our own pages sends, since they tell nobody where they are (`Referrer-Policy`); and any sandboxed page.
  if (origin === "null") return site !== "same-origin";
  return !isOwnOrigin(origin, new URL(request.url));
}
