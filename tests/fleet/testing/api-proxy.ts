/** A proxy of an edge's Cloudflare API that can replace or lose responses. */
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";
import type { Edge } from "#local/edge.ts";

/**
 * Returns a response to send; `lost` forwards the request and cuts the connection; undefined forwards it.
 * @param path below the API's base, with its query
 */
export type Interference = (method: string, path: string) => Interfered | undefined | Promise<Interfered | undefined>;
type Interfered = { status: number; body: object } | "lost";

/** Returns the time that a response states, in milliseconds. Default: the API's. */
type Clock = () => number;

export interface ApiProxy {
  /** Base URL of the proxy. */
  url: string;
  /** Requests that change something, as `METHOD path`. */
  changes: string[];
  close: () => Promise<void>;
}

export async function startApiProxy(
  edge: Edge,
  interfere: Interference = () => undefined,
  clock?: Clock,
): Promise<ApiProxy> {
  const changes: string[] = [];
  const passOn = async (request: IncomingMessage) => {
    const { method = "GET", url = "/", headers } = request;
    if (method !== "GET" && !url.includes("analytics_engine")) changes.push(`${method} ${url}`);
    const own = await interfere(method, url);
    if (own !== undefined && own !== "lost")
      return new Response(JSON.stringify(own.body), { status: own.status, headers: JSON_TYPE });
    const body = method === "GET" ? undefined : new Uint8Array(await buffer(request));
    const { authorization = "", "content-type": type } = headers;
    const answer = await fetch(edge.apiUrl + url, {
      method,
      headers: { authorization, ...(type !== undefined && { "content-type": type }) },
      ...(body !== undefined && body.length > 0 && { body }),
    });
    return own === "lost" ? undefined : answer;
  };
  const server = createServer((request, response) => {
    void passOn(request).then(async (answer) => {
      if (answer === undefined) return void request.socket.destroy();
      const date = clock === undefined ? {} : { date: new Date(clock()).toUTCString() };
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "", ...date });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  const port = await listen(server, { port: 0 });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, changes, close };
}

const JSON_TYPE = { "content-type": "application/json" };
