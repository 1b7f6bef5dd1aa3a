/**
 * Lower-case names of headers that a proxy does not forward (RFC 9110, 7.6.1). Includes `Expect`: the proxy has met it, and workerd takes
 * an interim response for the final one, so that the next request on the connection would get the response to this one.
 */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
