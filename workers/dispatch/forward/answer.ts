/** A tenant's answer as its client gets it. */
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Admission } from "../connections/admission.ts";
import { relayedBody, relayedWebSocket } from "../connections/open-connection.ts";

/** `Domain` of a cookie, which a tenant could only name to reach its neighbours: without it a cookie is its own host's. */
const DOMAIN_ATTRIBUTE = /^\s*domain\s*(?:=|$)/i;

/**
 * The answer with cookies for the tenant's own host alone. WebSockets, and bodies that do not say how long they are, end when
 * their admission no longer holds; all else passes as it is.
 *
 * @param admission left out for answers that are over at once
 */
export function answered(response: Response, admission: (() => Admission) | undefined, keepAlive: KeepAlive): Response {
  const { webSocket, body, status, statusText } = response;
  const cookies = response.headers.has("set-cookie") ? ownCookies(response.headers) : undefined;
  const headers = cookies ?? response.headers;
  if (webSocket !== null && admission !== undefined) {
    const own = new Headers(headers);
    // Agreed between this Worker and the tenant's; with the client it is agreed anew.
    own.delete("sec-websocket-extensions");
    return new Response(null, { status, headers: own, webSocket: relayedWebSocket(webSocket, admission(), keepAlive) });
  }
  if (body !== null && admission !== undefined && !headers.has("content-length")) {
    return new Response(relayedBody(body, admission(), keepAlive), { status, statusText, headers });
  }
  return cookies === undefined ? response : new Response(body, { status, statusText, headers, webSocket });
}

/** The headers with no cookie for another host; `undefined` when there is none in the first place. */
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
