import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { json } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import * as z from "zod";
import { endLate } from "./late-ends.ts";

const egress = z.looseObject({ port: z.number().int().positive() });
/** workerd reads it for intercepted HTTPS, which is not supported. */
const NO_AUTHORITY = "";
/** For `CONNECT`: workerd treats it as a port without a listener. */
const NOT_LISTENING = "400 Bad Request";
/** For a connection that the container ended before its response: workerd would wait forever, even after a reset. */
const CONNECTION_LOST = "502 Bad Gateway";

/**
 * The networking sidecar of a container. workerd reaches the container's ports by `CONNECT` through it, and tells it where to send the
 * requests of the container.
 */
export interface Sidecar {
  readonly port: number;
  /** Port of workerd for requests of the container; `undefined` until workerd sends it. */
  readonly egressPort: number | undefined;
  stop(): Promise<void>;
}

/**
 * Starts a sidecar.
 *
 * @param portOf returns the loopback port of a port of the container, if it has one
 * @param at address to listen on. Default: a free port on loopback
 */
export async function startSidecar(
  portOf: (port: number) => number | undefined,
  at: { host: string; port: number } = { host: "127.0.0.1", port: 0 },
): Promise<Sidecar> {
  let egressPort: number | undefined;
  const open = new Set<Duplex>();
  const track = (socket: Duplex): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server: Server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/ca") return void response.end(NO_AUTHORITY);
    if (request.method !== "PUT" || request.url !== "/egress") return void response.writeHead(404).end();
    const body = egress.safeParse(await json(request).catch(() => undefined));
    if (!body.success) return void response.writeHead(400).end();
    egressPort = body.data.port;
    response.writeHead(200).end();
  });
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    track(client);
    const port = portOf(Number(/:(\d+)$/.exec(request.url ?? "")?.[1]));
    if (port === undefined) return respondToConnect(client, NOT_LISTENING);
    const inside: Socket = connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen: true });
    track(inside);
    const unreachable = () => respondToConnect(client, NOT_LISTENING);
    inside.once("error", unreachable);
    inside.once("connect", () => {
      inside.off("error", unreachable);
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      if (head.length > 0) inside.write(head);
      client.pipe(inside);
      inside.pipe(client, { end: false });
      const ended = () => (inside.bytesRead === 0 ? respondToConnect(client, CONNECTION_LOST) : endLate(client));
      for (const end of ["end", "close"]) inside.once(end, ended);
    });
    client.once("close", () => inside.destroy());
  });
  const port = await listen(server, at);
  return {
    port,
    get egressPort() {
      return egressPort;
    },
    stop: () => closeAndCut(server, open),
  };
}

function respondToConnect(client: Duplex, status: string): void {
  if (client.writable) client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
}
