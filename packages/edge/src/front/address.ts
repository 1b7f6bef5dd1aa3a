/** What a request is addressed to, from its request line and `Host`. */
import type { IncomingMessage } from "node:http";

export interface Address {
  url: URL;
  /** Whether it came with an absolute request line: a Worker's own fetch, sent here because all of them are. */
  outbound: boolean;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** @returns nothing when the request names no valid address */
export function addressOf(request: IncomingMessage): Address | undefined {
  const line = request.url ?? "";
  const outbound = /^https?:\/\//i.test(line);
  const [host, another] = request.headersDistinct.host ?? [];
  if (another !== undefined) return undefined;
  if (!outbound && (host === undefined || host === "" || /[/?#@\s\\]/.test(host) || !line.startsWith("/"))) {
    return undefined;
  }
  try {
    const url = new URL(outbound ? line : `http://${host}${line}`);
    url.username = url.password = url.hash = "";
    // The same host, written as a whole name: Access, routes and Workers know it without the dot.
    url.hostname = url.hostname.replace(/\.$/, "");
    return { url, outbound };
  } catch {
    return undefined;
  }
}

/** Whether `url` means this machine; for a Worker's own fetch also this very port, for others serve other ports. */
export function isControl({ url, outbound }: Address, port: number): boolean {
  return LOOPBACK.has(url.hostname) && (!outbound || Number(url.port || 80) === port);
}
