/**
 * Passes requests and upgrades on to a loopback port, streaming both ways. A response that breaks off half-way breaks off
 * for the client too, so it is never mistaken for a whole one.
 */
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { errorResponse } from "../../workers/contracts/errors.ts";
import { SANDBOX_ERROR_HEADER, SANDBOX_PORT_HEADER, SANDBOX_PROBE_HEADER } from "../../workers/contracts/sandbox.ts";
import { sendHead } from "../send-head.ts";

/** Hop-by-hop headers, and those that are meant for the supervisor. */
const NOT_PASSED = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  SANDBOX_PORT_HEADER,
  SANDBOX_PROBE_HEADER,
]);

/** A gateway ends idle connections after 5 s by default: this side lets go first. */
const agent = new Agent({ keepAlive: true, timeout: 4_000, maxSockets: 256 });

function passedHeaders(incoming: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  const named = new Set((incoming.headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    if (!NOT_PASSED.has(name) && !named.has(name) && values !== undefined)
      headers[name] = values.length === 1 ? values[0] : values;
  return headers;
}

const CLOSED = "Nothing listens on that port of the sandbox.";

/** Passes a request on to `port`. */
export function proxyRequest(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const hasBody =
    incoming.headers["content-length"] !== undefined || incoming.headers["transfer-encoding"] !== undefined;
  const outgoing = request({
    agent,
    host: "127.0.0.1",
    port,
    method: incoming.method,
    path: incoming.url,
    headers: passedHeaders(incoming),
  });
  outgoing.once("response", (upstream) => {
    try {
      response.writeHead(upstream.statusCode ?? 502, passedHeaders(upstream));
    } catch {
      // A status or header that HTTP does not know: whatever a sandbox answers must not hurt its host.
      upstream.destroy();
      return void sendClosed(response);
    }
    sendHead(response, upstream);
    upstream.once("error", () => response.destroy());
    upstream.pipe(response);
  });
  outgoing.once("upgrade", (_, far) => {
    // Nobody asked to switch protocols.
    far.destroy();
    void sendClosed(response);
  });
  outgoing.once("error", () => {
    if (response.headersSent) response.destroy();
    else sendClosed(response);
  });
  response.once("close", () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  if (hasBody) pipeline(incoming, outgoing, () => {});
  else outgoing.end();
}

/** Answers that nothing listens on the port. */
export async function sendClosed(response: ServerResponse): Promise<void> {
  const answer = errorResponse("gateway_unavailable", CLOSED, { headers: { [SANDBOX_ERROR_HEADER]: "closed" } });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

function head(message: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${message.statusCode} ${message.statusMessage}`];
  for (let i = 0; i < message.rawHeaders.length; i += 2)
    lines.push(`${message.rawHeaders[i]}: ${message.rawHeaders[i + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Is told of the client's part in an upgraded connection. */
export interface UpgradeTraffic {
  opened(): void;
  received(bytes: Buffer): void;
}

/** Passes an upgrade on to `port`. */
export function proxyUpgrade(
  incoming: IncomingMessage,
  socket: Duplex,
  first: Buffer,
  port: number,
  traffic: UpgradeTraffic,
): void {
  const outgoing = request({
    host: "127.0.0.1",
    port,
    method: incoming.method,
    path: incoming.url,
    headers: { ...passedHeaders(incoming), connection: "Upgrade", upgrade: incoming.headers.upgrade ?? "websocket" },
  });
  socket.on("error", () => outgoing.destroy());
  socket.once("close", () => outgoing.destroy());
  outgoing.once("upgrade", (upstream, far, farFirst) => {
    socket.write(head(upstream));
    if (farFirst.length > 0) socket.write(farFirst);
    traffic.opened();
    if (first.length > 0) {
      traffic.received(first);
      far.write(first);
    }
    pipeline(far, socket, () => socket.destroy());
    pipeline(socket, far, () => far.destroy());
    socket.on("data", traffic.received);
  });
  outgoing.once("response", (upstream) => {
    // The port refused the upgrade: pass its answer on and close.
    upstream.headers.connection = "close";
    const lines = [`HTTP/1.1 ${upstream.statusCode} ${upstream.statusMessage}`, "connection: close"];
    for (const [name, value] of Object.entries(passedHeaders(upstream)))
      for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    pipeline(upstream, socket, () => socket.destroy());
  });
  outgoing.once("error", () => refuseUpgrade(socket));
  outgoing.end();
}

/** Answers an upgrade that nothing listens on the port. */
export function refuseUpgrade(socket: Duplex): void {
  if (socket.destroyed) return;
  socket.end(
    `HTTP/1.1 502 Bad Gateway\r\n${SANDBOX_ERROR_HEADER}: closed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}
