/** A socket for workerd in front of that of a container engine. It can change calls and responses; commands in containers pass through. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { headerPairs, requestHeaders, responseHeaders } from "../http/end-to-end.ts";

interface RelayOptions {
  /** Path of the engine's socket. */
  socketPath: string;
  /** Path of the new socket. */
  path: string;
  /** Responds to a call, usually by {@link forwardCall}. A rejection ends the connection. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
}

export interface EngineRelay {
  stop(): Promise<void>;
}

/** @throws Error when the socket cannot be created */
export async function startEngineRelay({ socketPath, path, serve }: RelayOptions): Promise<EngineRelay> {
  const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const engineSocket = connect({ path: socketPath, allowHalfOpen: true });
    for (const [one, other] of [
      [socket, engineSocket],
      [engineSocket, socket],
    ] as const) {
      upgraded.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        upgraded.delete(one);
        // After a regular end the other side still sends what it has received.
        if (!one.readableEnded) other.destroy();
      });
    }
    const lines = headerPairs(incoming.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    engineSocket.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    engineSocket.write(head);
    socket.pipe(engineSocket).pipe(socket);
  });
  await listen(server, { path });
  return { stop: () => closeAndCut(server, upgraded) };
}

/**
 * Passes a call to an engine, and its response back.
 *
 * @param change.path instead of the call's @param change.body instead of the call's, which was read
 * @returns the status @throws Error when the engine cannot be reached
 */
export async function forwardCall(
  socketPath: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  change: { path?: string | undefined; body?: string | undefined } = {},
): Promise<number> {
  const { method, url } = incoming;
  // The engine can respond before it has read the body, and then end the connection.
  const body = change.body === undefined ? await buffer(incoming) : Buffer.from(change.body);
  const headers = { ...requestHeaders(incoming.headersDistinct), "content-length": body.byteLength };
  return new Promise((resolve, reject) => {
    const path = change.path ?? url;
    const sent = request({ socketPath, method, path, headers, agent: false }, (response) => {
      const { statusCode = 500 } = response;
      outgoing.writeHead(statusCode, responseHeaders(response.rawHeaders));
      // An incomplete response must not seem complete.
      response.once("error", () => outgoing.destroy());
      response.pipe(outgoing);
      resolve(statusCode);
    });
    sent.on("error", reject);
    sent.end(body);
    outgoing.on("close", () => sent.destroy());
  });
}
