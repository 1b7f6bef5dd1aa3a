/**
 * Routes of containers to the Workers that intercept their requests: a loopback URL for each container and host. A real sidecar intercepts
 * packets, which requires a network namespace.
 */
import { randomBytes } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { closeAndCut, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import { flushHead, requestHeaders, responseHeaders } from "../../http/end-to-end.ts";

export interface Egress {
  /** Returns the secret URL for a container of a URL whose host its Worker intercepts, without a trailing slash. */
  address(container: string, url: URL): string;
  stop(): Promise<void>;
}

interface Route {
  container: string;
  host: string;
}

const KEY = /^\/([0-9a-f]{32})(\/.*)$/;

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", connection: "close" });
  response.end(JSON.stringify({ error: { code, message } }));
}

function openTunnel(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const target = { host: "127.0.0.1", port, path: `${host}:80`, headers: { "x-hostname": host } };
    const request = httpRequest({ ...target, method: "CONNECT" });
    request.once("error", reject);
    request.once("connect", (response, socket: Socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the Worker does not accept requests to ${host}: ${response.statusCode}`));
    });
    request.end();
  });
}

/** Starts the server of the routes. @param egressPort returns the port of workerd for requests of a container, if it has one */
export async function startEgress(egressPort: (container: string) => number | undefined, log: Log): Promise<Egress> {
  const routes = new Map<string, Route>();
  const keys = new Map<string, string>();

  const forward = async (
    port: number,
    { host }: Route,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const socket = await openTunnel(port, host);
    // The client has disconnected.
    if (response.destroyed) return void socket.destroy();
    const isUpgrade = request.headers.upgrade !== undefined;
    const onward = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path,
      headers: {
        ...requestHeaders(request.headersDistinct),
        ...(request.headers["transfer-encoding"] !== undefined && { "transfer-encoding": "chunked" }),
        host,
        ...(isUpgrade ? { connection: "upgrade", upgrade: request.headers.upgrade } : { connection: "close" }),
      },
    });
    // A plain end could be the end of the request body. A reset tells the Worker that the client has disconnected.
    response.once("close", () => {
      if (!response.writableFinished) socket.resetAndDestroy();
      onward.destroy();
    });
    flushHead(onward);
    request.pipe(onward);
    const received = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.once("response", resolve);
      onward.once("error", reject);
      onward.once("upgrade", (_, upgraded) => {
        upgraded.destroy();
        reject(new Error("WebSockets are not supported"));
      });
    });
    response.writeHead(received.statusCode ?? 502, responseHeaders(received.rawHeaders));
    flushHead(response);
    received.once("error", () => response.destroy());
    received.pipe(response);
  };

  const server = createServer((request, response) => {
    const [, key = "", path = ""] = KEY.exec(request.url ?? "") ?? [];
    const route = routes.get(key);
    if (route === undefined) return sendError(response, 404, "not_found", "Not found.");
    const { container, host } = route;
    const unreachable = (message: string) => {
      log("containers", "way-out-failed", { container, host, message });
      if (response.headersSent) response.destroy();
      else sendError(response, 503, "worker_unavailable", "The container's Worker is unreachable. Retry.");
    };
    const port = egressPort(container);
    if (port === undefined) return unreachable("no Worker uses the container");
    forward(port, route, path, request, response).catch((error: unknown) => {
      if (!response.destroyed) unreachable(String(error));
    });
  });
  const port = await listen(server, { port: 0 });

  return {
    address(container, { host, pathname }) {
      const name = `${container} ${host}`;
      const key = keys.get(name) ?? randomBytes(16).toString("hex");
      keys.set(name, key);
      routes.set(key, { container, host });
      return `http://127.0.0.1:${port}/${key}${pathname.replace(/\/$/, "")}`;
    },
    stop: () => closeAndCut(server),
  };
}
