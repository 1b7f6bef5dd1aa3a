/** Passes a request on to a Worker's socket: bodies stream both ways, an abort at either end reaches the other. */

import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { answerHeaders, pairs } from "./end-to-end.ts";
import { CF_HEADER, INTERNAL_PREFIX } from "./internal-headers.ts";
import { sendHead } from "./send-head.ts";
import { workerdAgent } from "./workerd-agent.ts";

/** Where a request goes and as what it arrives there. */
export interface Destination {
  port: number;
  /** What the Worker sees as `request.url`. */
  url: string;
  /** All headers but `Host`, which follows from the address. */
  headers: Record<string, string | string[]>;
  /** Milliseconds until the answer's head must have come; default {@link HEAD_TIMEOUT_MS}. */
  headTimeout?: number;
  /** Told of each sign of life: the answer's head and every piece of its body. */
  onProgress?: () => void;
  /** Told when the request became a WebSocket. */
  onSocket?: () => void;
}

/** Why nothing, or not all, of an answer came. */
export class RelayError extends Error {
  override name = "RelayError";
  readonly kind: "timeout" | "lost";
  constructor(kind: "timeout" | "lost", cause?: unknown) {
    super(kind === "timeout" ? "The Worker did not answer in time." : "The Worker's answer was lost.", { cause });
    this.kind = kind;
  }
}

/** Decides what the client gets for an answer that only the runtime should see. @returns whether it was taken */
export type Intercept = (answer: IncomingMessage) => boolean;

/** The vendor gives up on an answer after this many milliseconds (error 524). */
const HEAD_TIMEOUT_MS = 120_000;

/** Bytes of headers that the vendor allows an answer, and a request's headers with the address beside them. */
export const MOST_HEADER_BYTES = 128 * 1024;

/**
 * Connections for one request each: of those that become WebSockets, and of those with a body. Where a Worker answers before it has read all of
 * it, workerd ends the connection a moment later, and with it whatever was sent next, which cannot be sent again.
 */
const once = new Agent({ keepAlive: false });

/**
 * Sends `request` to `to` and its answer to `response`. Resolves when all is sent, or the client has left.
 * @throws RelayError when no answer came and `response` is untouched
 */
export function relay(
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
      response.off("close", left);
      // What the client still sends of a body that the Worker did not read: unread it would hold up the next request of the connection.
      request.unpipe(sent);
      request.resume();
      if (error === undefined || response.destroyed) resolve();
      else if (response.headersSent) {
        // The only way left to say that the body is not whole.
        response.destroy();
        resolve();
      } else reject(error);
    };
    const left = () => {
      if (!response.writableFinished) sent.destroy();
      settle();
    };
    const timer = setTimeout(() => {
      settle(new RelayError("timeout"));
      sent.destroy();
    }, to.headTimeout ?? HEAD_TIMEOUT_MS);
    const open = (retry: boolean) => {
      const opened = httpRequest({ ...options(request, to, extra), agent: hasBody ? once : workerdAgent });
      opened.on("error", (error) => {
        if (retry && !hasBody && opened.reusedSocket && !settled && !response.headersSent) {
          sent = open(false);
          sent.end();
        } else settle(new RelayError("lost", error));
      });
      opened.on("response", (answer) => {
        clearTimeout(timer);
        to.onProgress?.();
        answer.on("error", (error) => settle(new RelayError("lost", error)));
        try {
          if (intercept(answer)) {
            answer.resume();
            settle();
            return;
          }
          response.writeHead(
            answer.statusCode ?? 502,
            answer.statusMessage,
            answerHeaders(answer.rawHeaders, isInternal),
          );
        } catch (error) {
          // An answer that cannot be passed on must not end the edge.
          answer.destroy();
          settle(new RelayError("lost", error));
          return;
        }
        sendHead(response, answer);
        answer.on("data", () => to.onProgress?.());
        answer.pipe(response);
        response.on("finish", () => settle());
      });
      return opened;
    };
    let sent = open(true);
    response.on("close", left);
    if (hasBody) {
      request.pipe(sent);
      request.on("error", () => sent.destroy());
    } else sent.end();
  });
}

/**
 * Like {@link relay} for a request to upgrade. Resolves when the WebSocket has ended, or another answer was sent.
 * @throws RelayError when no answer came; `socket` is then untouched
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
    const sent = httpRequest({ ...options(request, to, extra), agent: once });
    const left = () => {
      sent.destroy();
      resolve();
    };
    const timer = setTimeout(() => {
      reject(new RelayError("timeout"));
      sent.destroy();
    }, to.headTimeout ?? HEAD_TIMEOUT_MS);
    socket.on("error", left);
    socket.on("close", left);
    sent.on("error", (error) => {
      clearTimeout(timer);
      if (socket.destroyed) resolve();
      else reject(new RelayError("lost", error));
    });
    sent.on("upgrade", (answer, far, farHead) => {
      clearTimeout(timer);
      to.onProgress?.();
      to.onSocket?.();
      const lines = pairs(answer.rawHeaders)
        .filter(([name]) => !isInternal(name.toLowerCase()))
        .map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 ${answer.statusMessage}\r\n${lines.join("")}\r\n`);
      if (head.length > 0) far.write(head);
      if (farHead.length > 0) socket.write(farHead);
      far.on("data", () => to.onProgress?.());
      far.on("error", () => socket.destroy());
      far.on("close", () => socket.destroy());
      socket.on("close", () => far.destroy());
      far.pipe(socket);
      socket.pipe(far);
    });
    sent.on("response", (answer) => {
      clearTimeout(timer);
      to.onProgress?.();
      answer.on("error", () => socket.destroy());
      try {
        if (intercept(answer)) {
          answer.resume();
          resolve();
          return;
        }
        const response = responseOn(request, socket);
        response.writeHead(
          answer.statusCode ?? 502,
          answer.statusMessage,
          answerHeaders(answer.rawHeaders, isInternal),
        );
        answer.pipe(response);
      } catch {
        answer.destroy();
        socket.destroy();
      }
    });
    sent.end();
  });
}

/** A plain HTTP answer on the socket of a request to upgrade; the connection ends with it. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // A `Duplex` of an HTTP server is a `net.Socket`; the types know that of only one of them.
  response.assignSocket(socket as Parameters<ServerResponse["assignSocket"]>[0]);
  // Nobody reads what the client has sent since, so its end would never be seen.
  response.on("finish", () => socket.end(() => socket.destroy()));
  return response;
}

function options(request: IncomingMessage, to: Destination, extra: Record<string, string>): RequestOptions {
  return {
    host: "127.0.0.1",
    port: to.port,
    method: request.method ?? "GET",
    // Absolute, so that the Worker sees scheme, host and port as the client did.
    path: to.url,
    headers: { ...to.headers, ...extra, host: new URL(to.url).host },
    maxHeaderSize: MOST_HEADER_BYTES,
  };
}

function isInternal(name: string): boolean {
  return name.startsWith(INTERNAL_PREFIX) || name === CF_HEADER;
}
