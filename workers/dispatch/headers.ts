/** The headers that reach a tenant Worker: what the client sent, less what only the platform may say or know. */
import { withoutAccessCookies } from "../access/tokens.ts";
import { HOP_BY_HOP } from "../contracts/hop-by-hop.ts";
import { PLATFORM_HEADER_PREFIX } from "../contracts/platform-headers.ts";

/** Access's own headers hold tokens, service-token secrets and the user's e-mail. */
const ACCESS_HEADER_PREFIX = "cf-access-";

/** Whether a request asks for a WebSocket. */
export function isWebSocketUpgrade(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * Takes out of a client's headers what a tenant may not see. In place, since every copy of them shows in the time a request
 * takes. `Upgrade` stays for a WebSocket alone.
 */
export function sanitizeHeaders(headers: Headers): void {
  const upgrade = isWebSocketUpgrade(headers);
  const named =
    headers
      .get("connection")
      ?.toLowerCase()
      .split(",")
      .map((name) => name.trim()) ?? [];
  for (const name of [...headers.keys()]) {
    const isPlatforms = name.startsWith(PLATFORM_HEADER_PREFIX) || name.startsWith(ACCESS_HEADER_PREFIX);
    if (isPlatforms || HOP_BY_HOP.has(name) || named.includes(name)) headers.delete(name);
  }
  if (upgrade) headers.set("upgrade", "websocket");
  const cookies = headers.get("cookie");
  if (cookies !== null) {
    const kept = withoutAccessCookies(cookies);
    if (kept === undefined) headers.delete("cookie");
    else headers.set("cookie", kept);
  }
}
