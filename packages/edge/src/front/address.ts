import type { IncomingMessage } from "node:http";

export interface Address {
  url: URL;
  /** Whether the request line is absolute: a Worker's fetch, which the runtime sends to the front. */
  outbound: boolean;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Returns the address in the request line and `Host`, if it is valid. */
export function addressOf(request: IncomingMessage): Address | undefined {
  const line = request.url ?? "";
  const outbound = /^https?:\/\//i.test(line);
  const [host, another] = request.headersDistinct.host ?? [];
  if (another !== undefined) return undefined;
  if (!outbound && (!host || /[/?#@\s\\]/.test(host) || !line.startsWith("/"))) return undefined;
  try {
    const url = new URL(outbound ? line : `http://${host}${line}`);
    url.username = url.password = url.hash = "";
    // Access, routes and Workers use host names without a trailing dot.
    url.hostname = url.hostname.replace(/\.$/, "");
    return { url, outbound };
  } catch {
    return undefined;
  }
}

/** Whether the host is this machine, and for the fetch of a Worker also the port is this one. */
export function isControl({ url, outbound }: Address, port: number): boolean {
  return LOOPBACK.has(url.hostname) && (!outbound || Number(url.port || 80) === port);
}
