import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Admission } from "../connections/admission.ts";
import { relayedBody, relayedWebSocket } from "../connections/open-connection.ts";

/** A cookie with `Domain` would reach other tenants. */
const DOMAIN_ATTRIBUTE = /^\s*domain\s*(?:=|$)/i;

/**
 * Returns the response with cookies for the tenant's own host only. WebSockets and bodies of unknown length end when their admission no
 * longer holds.
 *
 * @param admission undefined for responses that end at once
 */
export function answered(response: Response, admission: (() => Admission) | undefined, keepAlive: KeepAlive): Response {
  const { webSocket, body, status, statusText } = response;
  const cookies = response.headers.has("set-cookie") ? ownCookies(response.headers) : undefined;
  const headers = cookies ?? response.headers;
  if (webSocket !== null && admission !== undefined) {
    const own = new Headers(headers);
    // Negotiated per connection.
    own.delete("sec-websocket-extensions");
    return new Response(null, { status, headers: own, webSocket: relayedWebSocket(webSocket, admission(), keepAlive) });
  }
  if (body !== null && admission !== undefined && !headers.has("content-length")) {
    return new Response(relayedBody(body, admission(), keepAlive), { status, statusText, headers });
  }
  return cookies === undefined ? response : new Response(body, { status, statusText, headers, webSocket });
}

/** @returns undefined when no cookie has a `Domain` */
function ownCookies(headers: Headers): Headers | undefined {
  const cookies = headers.getSetCookie();
  const own = cookies.map((cookie) => {
    const [pair = "", ...attributes] = cookie.split(";");
    return [pair, ...attributes.filter((attribute) => !DOMAIN_ATTRIBUTE.test(attribute))].join(";");
  });
  if (own.every((cookie, index) => cookie === cookies[index])) return undefined;
  const copy = new Headers(headers);
  copy.delete("set-cookie");
  for (const cookie of own) copy.append("set-cookie", cookie);
  return copy;
}
