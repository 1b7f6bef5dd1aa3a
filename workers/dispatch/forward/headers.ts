/** Removes headers that a client must not set or a tenant must not see. */
import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";
import { PLATFORM_HEADER_PREFIX } from "#workers/contracts/platform-headers.ts";
import { isAccessHeader, removeAccessCookies } from "#workers/shared/access/tokens.ts";

const SET_IN_FRONT = /^(?:x-platform-|cf-|x-forwarded-|x-real-ip$|content-length$|content-type$)/;

export function isWebSocketUpgrade(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * Changes the headers in place, because a copy takes measurable time. `Upgrade` remains for WebSockets only, and `Transfer-Encoding`
 * because workerd sends no body of a GET without it.
 */
export function sanitizeHeaders(headers: Headers): void {
  const dropped: string[] = [];
  let cookies = false;
  for (const name of headers.keys()) {
    if (isReserved(name)) {
      dropped.push(name);
    } else if (name === "cookie") cookies = true;
  }
  const upgrade = dropped.includes("upgrade") && isWebSocketUpgrade(headers);
  if (dropped.includes("connection")) dropped.push(...namedByConnection(headers));
  for (const name of dropped) headers.delete(name);
  if (upgrade) headers.set("upgrade", "websocket");
  if (dropped.includes("transfer-encoding")) headers.set("transfer-encoding", "chunked");
  if (cookies) removeAccessCookies(headers);
}

function isReserved(name: string): boolean {
  if (name.startsWith(PLATFORM_HEADER_PREFIX) || isAccessHeader(name) || HOP_BY_HOP.has(name)) return true;
  if (!name.includes("_")) return false;
  // CGI-style gateways do not distinguish `_` from `-`.
  const hyphenated = name.replaceAll("_", "-");
  return SET_IN_FRONT.test(hyphenated) || HOP_BY_HOP.has(hyphenated);
}

function namedByConnection(headers: Headers): string[] {
  const value = headers.get("connection")?.toLowerCase() ?? "";
  // Usually `keep-alive` or `upgrade`, which are removed anyway.
  if (HOP_BY_HOP.has(value)) return [];
  const named = new Set(value.split(/\s*,\s*/));
  return [...headers.keys()].filter((name) => named.has(name));
}
