import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";

export interface SentRequest {
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Default: none. */
  body?: string | undefined;
  /** Interval of TCP keep-alive probes in milliseconds, for a late response: networks drop idle connections. Default: none. */
  keepAliveMs?: number;
}

/** Sends a request on its own connection. @returns status, headers and whole body of the response @throws Error of Node, with its `code` */
export function sendRequest(
  url: URL,
  { method, headers, signal, body, keepAliveMs }: SentRequest,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const request = url.protocol === "http:" ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, signal, ...addressOf(url.hostname) } as const;
    const outgoing = request(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((received) => resolve({ status, headers, body: received }), reject);
    });
    outgoing.on("error", reject);
    if (keepAliveMs !== undefined) outgoing.setSocketKeepAlive(true, keepAliveMs);
    outgoing.end(body);
  });
}

/** Not every resolver resolves names under `localhost` to this machine (RFC 6761, section 6.3). */
export function addressOf(hostname: string): { lookup?: LookupFunction } {
  if (!hostname.endsWith(".localhost")) return {};
  const loopback = { address: "127.0.0.1", family: 4 };
  return {
    lookup: (_hostname, options, found) =>
      options.all === true ? found(null, [loopback]) : found(null, loopback.address, loopback.family),
  };
}
