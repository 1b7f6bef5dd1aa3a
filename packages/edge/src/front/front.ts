import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import { closeAndCut, linger, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import type { Access } from "../access/access.ts";
import type { Store } from "../account/store.ts";
import { RouteTable } from "../cloudflare/kinds/routes/route-table.ts";
import type { Internet } from "../containers/network/names/internet.ts";
import { requestHeaders } from "../http/end-to-end.ts";
import { type ErrorPage, noRoute, sendError } from "../http/error-pages.ts";
import { MAX_HEAD_BYTES, RelayError, relayRequest, relayUpgrade, responseOn } from "../http/relay.ts";
import { EdgeLimits } from "../limits/edge-limits.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type Address, addressOf, isControl } from "./address.ts";
import { accessHeaders, workerHeaders } from "./client-headers.ts";

/** @param connection of the client, to cut it */
type Handler = (request: Request, connection: HttpBindings) => Response | Promise<Response>;

export interface FrontParts {
  control: Handler;
  access: Access;
  runtime: Runtime;
  store: Store;
  issuer: string;
  /** Default: Cloudflare's. */
  limits?: EdgeLimits;
  /** Hosts that Workers can fetch outside the account. Default: none. */
  internet?: Internet;
}

export interface Front {
  readonly port: number;
  /** Serves requests by `parts`. Requests before get 503. */
  serve(parts: FrontParts): void;
  stop(): Promise<void>;
}

const ACCESS_PATH = "/cdn-cgi/access/";
const HEADERS_TIMEOUT_MS = 15_000;

const badRequest: ErrorPage = { status: 400, title: "Bad request", detail: "The address of the request is invalid." };
const tooLarge = (limits: EdgeLimits): ErrorPage => ({
  status: LIMITS.requestBody.beyond.status,
  title: "Payload too large",
  detail: `The body must have at most ${limits.valueOf("requestBody")} bytes.`,
});
const tooLong = (limits: EdgeLimits): ErrorPage => ({
  status: LIMITS.requestUrl.beyond.status,
  title: "URI too long",
  detail: `The URL must have at most ${limits.valueOf("requestUrl")} bytes.`,
});
const headersTooLarge: ErrorPage = {
  status: LIMITS.requestHeaders.beyond.status,
  title: "Request header fields too large",
  detail: `The headers must have at most ${LIMITS.requestHeaders.value} bytes.`,
};
const starting: ErrorPage = { status: 503, title: "Starting", detail: "The edge is starting. Retry." };
const internal: ErrorPage = { status: 500, title: "Internal error", detail: "The log of the edge has the reason." };

/**
 * Listens on the port of the edge. Requests are routed by host: to Access, to the edge's own routes, or to a Worker when Access allows it.
 *
 * @param port on 127.0.0.1; 0 takes a free one
 * @throws Error when the port is in use
 */
export async function openFront(port: number, log: Log): Promise<Front> {
  let parts: (FrontParts & { routes: RouteTable; teamHost: string }) | undefined;
  const sockets = new Set<Duplex>();
  const server = createServer(
    {
      // The fetch of a Worker has an absolute request line instead of a `Host` header.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      shouldUpgradeCallback: isWebSocket,
    },
    (request, response) => {
      handle(request, () => response, { kind: "request", response }).catch((error: unknown) => {
        log("front", "failed", { message: String(error) });
        sendError(request, response, internal);
      });
    },
  );
  linger(server);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    const response = () => responseOn(request, socket);
    handle(request, response, { kind: "upgrade", socket, head }).catch((error: unknown) => {
      log("front", "failed", { message: String(error) });
      socket.destroy();
    });
  });
  // Without a listener Node closes CONNECT, the raw socket of a Worker.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = CLIENT_ERROR_STATUS[error.code ?? ""] ?? "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });

  async function handle(
    request: IncomingMessage,
    response: () => ServerResponse,
    how: { kind: "request"; response: ServerResponse } | { kind: "upgrade"; socket: Duplex; head: Buffer },
  ): Promise<void> {
    if (parts === undefined) return sendError(request, response(), starting);
    const { control, access, runtime, routes, teamHost, limits = new EdgeLimits(), internet } = parts;
    const address = addressOf(request);
    if (address === undefined) return sendError(request, response(), badRequest);
    const { url } = address;
    if (url.href.length > limits.valueOf("requestUrl")) return sendError(request, response(), tooLong(limits));
    // The listeners below build the URL from these two.
    request.url = url.pathname + url.search;
    request.headers.host = url.host;
    if (url.hostname === teamHost || url.pathname.startsWith(ACCESS_PATH)) {
      return respondToRequest(request, response(), (received) => access.fetch(received));
    }
    const server = address.outbound ? internet?.find(url.hostname, portOf(url)) : undefined;
    if (server !== undefined) {
      const to = { port: server.port, url: url.href, headers: requestHeaders(request.headersDistinct), isOrigin: true };
      const sent =
        how.kind === "request"
          ? relayRequest(request, how.response, to, () => false)
          : relayUpgrade(request, how.socket, how.head, to, () => false);
      return sent.catch((error: unknown) => {
        if (!(error instanceof RelayError)) throw error;
        sendError(request, response(), unreachablePage(address));
      });
    }
    if (isControl(address, front.port)) return respondToRequest(request, response(), control);
    if (headerBytes(request) > LIMITS.requestHeaders.value) return sendError(request, response(), headersTooLarge);
    if (Number(request.headers["content-length"] ?? 0) > limits.valueOf("requestBody")) {
      return sendError(request, response(), tooLarge(limits));
    }
    const decision = await access.authorize({ method: request.method ?? "GET", url, headers: accessHeaders(request) });
    if (decision.kind === "respond") return respondToRequest(request, response(), () => decision.response);
    const script = routes.match(url)?.script;
    if (script === undefined)
      return sendError(request, response(), address.outbound ? unreachablePage(address) : noRoute);
    const as = { url: url.href, headers: workerHeaders(request, decision.jwt), fromWorker: address.outbound };
    if (how.kind === "request") return runtime.serve(script, request, how.response, as);
    return runtime.upgrade(script, request, how.socket, how.head, as);
  }

  const front: Front = {
    port: await listen(server, { port }),
    serve: (given) => {
      parts = { ...given, routes: new RouteTable(given.store), teamHost: new URL(given.issuer).hostname };
    },
    stop: () => closeAndCut(server, sockets),
  };
  return front;
}

/** With the separators of names, values and lines. */
const headerBytes = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text, "latin1") + 2, 0);

const CLIENT_ERROR_STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Whether to upgrade. Any other upgrade request is served as a plain request. */
function isWebSocket(request: IncomingMessage): boolean {
  return request.method === "GET" && request.headers.upgrade?.toLowerCase() === "websocket";
}

function unreachablePage({ url }: Address): ErrorPage {
  return { status: 502, title: "Not reachable", detail: `${url.host} is not reachable from the edge.` };
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "https:" ? 443 : 80));

async function respondToRequest(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const respond = (received: Request) => handler(received, { incoming: request, outgoing: response });
  await getRequestListener(respond, { overrideGlobalObjects: false })(request, response);
}
