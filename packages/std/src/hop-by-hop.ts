/**
 * Headers that concern one connection only, in lower case; whoever passes a message on leaves them out (RFC 9110, 7.6.1).
 * `Expect` is among them: whoever took the message has met it, and workerd takes an interim answer for the final one, so that
 * the next request on that connection would get the answer of this one.
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
