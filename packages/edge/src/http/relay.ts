import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions, ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import { flushHead, headerPairs, responseHeaders } from "./end-to-end.ts";
import { CF_HEADER, INTERNAL_PREFIX } from "./internal-headers.ts";

export interface Destination {
  port: number;
  /** What the Worker sees as `request.url`. */
  url: string;
  /** All headers but `Host`, which is that of the address. */
  headers: Record<string, string | string[]>;
  /** Whether the request line has no scheme and host, as for other servers than Workers. Default: it has them */
  isOrigin?: boolean;
  /** Called for the head of the response and each chunk of its body. */
  onProgress?: () => void;
  /** Called when the request has become a WebSocket. */
  onSocket?: () => void;
}

export class RelayError extends Error {
  override name = "RelayError";
  readonly kind: "timeout" | "lost";
  constructor(kind: "timeout" | "lost", cause?: unknown) {
    super(kind === "timeout" ? "The Worker did not respond in time." : "The Worker's response was lost.", { cause });
    this.kind = kind;
  }
}

/** Handles a response that the client must not get. @returns whether it did */
export type Intercept = (response: IncomingMessage) => boolean;

/** The vendor's timeout for the head of a response (error 524). */
const HEAD_TIMEOUT_MS = 120_000;

/** Of a request: its headers and its address. */
export const MAX_HEAD_BYTES = LIMITS.requestHeaders.value + LIMITS.requestUrl.value;

/** workerd closes connections that were idle for five seconds. */
export const workerdAgent = new Agent({ keepAlive: true, timeout: 4_000 });

/**
 * Connections for one request: for those that become WebSockets, and for those with a body. When a Worker responds before it has read the
 * whole body, workerd ends the connection later, with the next request on it.
 */
const singleUseAgent = new Agent({ keepAlive: false });

/**
 * Sends `request` to `to` and its response to `response`. Bodies stream in both directions, and an abort at one end reaches the other.
 * Resolves when all is sent or the client has disconnected.
 *
 * @throws RelayError without a response; `response` is then unchanged
 */
export function relayRequest(
  request: IncomingMessage,
  response: ServerResponse,
  to: Destination,
  intercept: Intercept,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const hasBody =
      request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined;
    const chunked = hasBody && request.headers["content-length"] === undefined;
    const extra = chunked ? { "transfer-encoding": "chunked" } : {};
    let settled = false;
    const settle = (error?: RelayError) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      response.off("close", onClose);
      // The rest of a body that the Worker did not read would block the next request of the connection.
      request.unpipe(sent);
      request.resume();
      if (error === undefined || response.destroyed) resolve();
      else if (response.headersSent) {
        // Tells the client that the body is incomplete.
        response.destroy();
        resolve();
      } else reject(error);
    };
    const onClose = () => {
      if (!response.writableFinished) sent.destroy();
      settle();
    };
    const timer = setTimeout(() => {
      settle(new RelayError("timeout"));
      sent.destroy();
    }, HEAD_TIMEOUT_MS);
    const open = (retry: boolean) => {
      const opened = httpRequest({
        ...relayOptions(request, to, extra),
        agent: hasBody ? singleUseAgent : workerdAgent,
      });
      opened.on("error", (error) => {
        if (retry && !hasBody && opened.reusedSocket && !settled && !response.headersSent) {
          sent = open(false);
          sent.end();
        } else settle(new RelayError("lost", error));
      });
      opened.on("response", (received) => {
        clearTimeout(timer);
        to.onProgress?.();
        received.on("error", (error) => settle(new RelayError("lost", error)));
        try {
          if (intercept(received)) {
            received.resume();
            return settle();
          }
          copyHead(received, response);
        } catch (error) {
          // An invalid response must not end the edge.
          received.destroy();
          return settle(new RelayError("lost", error));
        }
        sendHead(response, received);
        received.on("data", () => to.onProgress?.());
        received.pipe(response);
        response.on("finish", () => settle());
      });
      return opened;
    };
    let sent = open(true);
    response.on("close", onClose);
    if (hasBody) {
      request.pipe(sent);
      request.on("error", () => sent.destroy());
    } else sent.end();
  });
}

/**
 * Like {@link relayRequest} for an upgrade request. Resolves when the WebSocket has ended or another response was sent.
 *
 * @throws RelayError without a response; `socket` is then unchanged
 */
export function relayUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  to: Destination,
  intercept: Intercept,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const extra = { connection: "Upgrade", upgrade: request.headers.upgrade ?? "websocket" };
    const sent = httpRequest({ ...relayOptions(request, to, extra), agent: singleUseAgent });
    const onClose = () => {
      sent.destroy();
      resolve();
    };
    const timer = setTimeout(() => {
      reject(new RelayError("timeout"));
      sent.destroy();
    }, HEAD_TIMEOUT_MS);
    socket.on("error", onClose);
    socket.on("close", onClose);
    sent.on("error", (error) => {
      clearTimeout(timer);
      if (socket.destroyed) resolve();
      else reject(new RelayError("lost", error));
    });
    sent.on("upgrade", (received, far, farHead) => {
      clearTimeout(timer);
      to.onProgress?.();
      to.onSocket?.();
      const lines = headerPairs(received.rawHeaders)
        .filter(([name]) => !isInternal(name.toLowerCase()))
        .map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 ${received.statusMessage}\r\n${lines.join("")}\r\n`);
      if (head.length > 0) far.write(head);
      if (farHead.length > 0) socket.write(farHead);
      far.on("data", () => to.onProgress?.());
      far.on("error", () => socket.destroy());
      far.on("close", () => socket.destroy());
      socket.on("close", () => far.destroy());
      far.pipe(socket);
      socket.pipe(far);
    });
    sent.on("response", (received) => {
      clearTimeout(timer);
      to.onProgress?.();
      received.on("error", () => socket.destroy());
      try {
        if (intercept(received)) {
          received.resume();
          return resolve();
        }
        const response = responseOn(request, socket);
        copyHead(received, response);
        received.pipe(response);
      } catch {
        received.destroy();
        socket.destroy();
      }
    });
    sent.end();
  });
}

/** Returns a plain HTTP response on the socket of an upgrade request. It ends the connection. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The types do not say that the socket of an HTTP server is a `net.Socket`.
  response.assignSocket(socket as Parameters<ServerResponse["assignSocket"]>[0]);
  // Without a reader of the socket its end would not be noticed.
  response.on("finish", () => socket.end(() => socket.destroy()));
  return response;
}

function copyHead(from: IncomingMessage, to: ServerResponse): void {
  to.writeHead(from.statusCode ?? 502, from.statusMessage, responseHeaders(from.rawHeaders, isInternal));
}

/**
 * Sends the head of `response`: in one packet with the first chunk of `body` when it is available, because each packet wakes the receiver,
 * else at once, because a stream may start late. Call it before `body` is piped.
 */
function sendHead(response: ServerResponse, body: Readable): void {
  const flush = setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) flushHead(response);
  });
  body.once("data", () => clearImmediate(flush));
}

function relayOptions(request: IncomingMessage, to: Destination, extra: Record<string, string>): RequestOptions {
  return {
    host: "127.0.0.1",
    port: to.port,
    method: request.method ?? "GET",
    // Absolute, so that the Worker gets scheme, host and port of the client.
    path: to.isOrigin ? to.url.slice(new URL(to.url).origin.length) : to.url,
    headers: { ...to.headers, ...extra, host: new URL(to.url).host },
    maxHeaderSize: LIMITS.responseHeaders.value,
  };
}

function isInternal(name: string): boolean {
  return name.startsWith(INTERNAL_PREFIX) || name === CF_HEADER;
}
