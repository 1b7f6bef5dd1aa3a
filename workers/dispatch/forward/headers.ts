/** The headers that reach a tenant Worker: what the client sent, less what only the platform may say or know. */

import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";
import { PLATFORM_HEADER_PREFIX } from "#workers/contracts/platform-headers.ts";
import { isAccessHeader, removeAccessCookies } from "#workers/shared/access/tokens.ts";

/** What the platform, or Cloudflare before it, says of a request: spelt so by a client it would be taken for theirs. */
const SET_IN_FRONT = /^(?:x-platform-|cf-|x-forwarded-|x-real-ip$|content-length$|content-type$)/;

/** Whether a request asks for a WebSocket. */
export function isWebSocketUpgrade(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * Takes out of a client's headers what a tenant may not see. In place, since every copy of them shows in the time a request
 * takes. `Upgrade` stays for a WebSocket alone, and `Transfer-Encoding` since workerd sends no body of a GET without it.
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
  // A gateway that reads headers as CGI does takes both spellings for one.
  const usual = name.replaceAll("_", "-");
  return SET_IN_FRONT.test(usual) || HOP_BY_HOP.has(usual);
}

/** The headers that `Connection` says are of one connection only. */
function namedByConnection(headers: Headers): string[] {
  const value = headers.get("connection")?.toLowerCase() ?? "";
  // Nearly always it is `keep-alive` or `upgrade`, which go anyway.
  if (HOP_BY_HOP.has(value)) return [];
  const named = new Set(value.split(/\s*,\s*/));
  return [...headers.keys()].filter((name) => named.has(name));
}
