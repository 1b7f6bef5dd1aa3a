import type { IncomingMessage } from "node:http";
import { requestHeaders } from "../http/end-to-end.ts";
import { rayId } from "../http/error-pages.ts";
import { CF_HEADER } from "../http/internal-headers.ts";

const ACCESS_JWT_HEADER = "cf-access-jwt-assertion";

const EDGE_ONLY = /^(cf-|mf-|x-edge-|x-forwarded-proto$|x-real-ip$)/;

/** Returns the headers for a Worker: those of the client that it may set, and those of the edge. @param jwt Access application token */
export function workerHeaders(request: IncomingMessage, jwt: string | undefined): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(requestHeaders(request.headersDistinct))) {
    if (!EDGE_ONLY.test(name)) headers[name] = values;
  }
  const address = request.socket.remoteAddress ?? "127.0.0.1";
  const forwarded = headers["x-forwarded-for"];
  return {
    ...headers,
    ...(jwt === undefined ? {} : { [ACCESS_JWT_HEADER]: jwt }),
    "cf-connecting-ip": address,
    "cf-ray": rayId(),
    "cf-visitor": `{"scheme":"http"}`,
    "x-forwarded-for": forwarded === undefined ? address : `${[forwarded].flat().join(", ")}, ${address}`,
    "x-forwarded-proto": "http",
    "x-real-ip": address,
    [CF_HEADER]: `{"colo":"LOCAL","country":"XX","httpProtocol":"HTTP/${request.httpVersion}"}`,
  };
}

/** Returns the headers for Access: those of the client without an application token. */
export function accessHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    if (name !== ACCESS_JWT_HEADER) for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}
