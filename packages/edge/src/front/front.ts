/** The one port of the local edge: tells by host who answers, asks Access first, and passes requests on to Workers. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { closeAndCut, KEEP_ALIVE_MS, linger, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import type { Access } from "../access/access.ts";
import type { Store } from "../account/store.ts";
import { RouteTable } from "../cloudflare/kinds/routes/route-table.ts";
import { type ErrorPage, noRoute, sendError } from "../http/error-pages.ts";
import { responseOn } from "../http/relay.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type Address, addressOf, isControl } from "./address.ts";
import { accessHeaders, workerHeaders } from "./client-headers.ts";

/** Who answers. */
export interface FrontParts {
  /** Answers on the loopback names. */
  control: (request: Request) => Response | Promise<Response>;
  access: Access;
  runtime: Runtime;
  store: Store;
  /** Base address of the Access team host. */
  issuer: string;
}

export interface Front {
  readonly port: number;
  /** From now on requests are answered by `parts`; until then by 503. */
  serve(parts: FrontParts): void;
  /** Stops listening and cuts what is still open. */
  stop(): Promise<void>;
}

const ACCESS_PATH = "/cdn-cgi/access/";
/** The vendor's limit of a request's body, in bytes. */
const MOST_BODY_BYTES = 100 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;

const badRequest: ErrorPage = { status: 400, title: "Bad request", detail: "The request names no valid address." };
const tooLarge: ErrorPage = { status: 413, title: "Payload too large", detail: "A request may carry up to 100 MB." };
const starting: ErrorPage = { status: 503, title: "Starting", detail: "The local edge is starting; ask again." };
const internal: ErrorPage = { status: 500, title: "Internal error", detail: "The local edge's log holds the reason." };

/**
 * Takes the port, so that everything else may be told of it.
 *
 * @param port port on 127.0.0.1; 0 takes any that is free
 * @throws Error in one plain sentence when the port is taken
 */
export async function openFront(port: number, log: Log): Promise<Front> {
  let parts: (FrontParts & { routes: RouteTable; teamHost: string }) | undefined;
  const sockets = new Set<Duplex>();
  const server = createServer(
    // A Worker's own fetch has an absolute request line instead of a Host header.
    {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
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
  // Without a listener Node answers CONNECT, a Worker's raw socket, by closing; nothing more is wanted.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = STATUS_OF_CLIENT_ERROR[error.code ?? ""] ?? "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });

  async function handle(
    request: IncomingMessage,
    response: () => ServerResponse,
    how: { kind: "request"; response: ServerResponse } | { kind: "upgrade"; socket: Duplex; head: Buffer },
  ): Promise<void> {
    if (parts === undefined) return sendError(request, response(), starting);
    const { control, access, runtime, routes, teamHost } = parts;
    const address = addressOf(request);
    if (address === undefined) return sendError(request, response(), badRequest);
    const { url } = address;
    // The listeners below build the address from these two.
    request.url = url.pathname + url.search;
    request.headers.host = url.host;
    if (url.hostname === teamHost || url.pathname.startsWith(ACCESS_PATH)) {
      return answer(request, response(), (asked) => access.fetch(asked));
    }
    if (isControl(address, front.port)) return answer(request, response(), control);
    if (Number(request.headers["content-length"] ?? 0) > MOST_BODY_BYTES) {
      return sendError(request, response(), tooLarge);
    }
    const verdict = await access.authorize({ method: request.method ?? "GET", url, headers: accessHeaders(request) });
    if (verdict.kind === "respond") return answer(request, response(), () => verdict.response);
    const script = routes.match(url)?.script;
    if (script === undefined) return sendError(request, response(), address.outbound ? unreachable(address) : noRoute);
    const as = { url: url.href, headers: workerHeaders(request, verdict.jwt), fromWorker: address.outbound };
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

const STATUS_OF_CLIENT_ERROR: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Whether an upgrade is one that is served; any other request to upgrade is answered as it stands, with its body. */
function isWebSocket(request: IncomingMessage): boolean {
  return request.method === "GET" && request.headers.upgrade?.toLowerCase() === "websocket";
}

function unreachable({ url }: Address): ErrorPage {
  return {
    status: 502,
    title: "Not reachable",
    detail: `${url.host} is not reachable from the local edge.`,
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  by: (request: Request) => Response | Promise<Response>,
): Promise<void> {
  await getRequestListener(by, { overrideGlobalObjects: false })(request, response);
}
