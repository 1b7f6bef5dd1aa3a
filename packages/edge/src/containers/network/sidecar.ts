/**
 * The networking sidecar of a container: workerd reaches the container's ports by `CONNECT` through it, and tells it where the
 * container's own requests are to be sent.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { json } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import * as z from "zod";
import { endLate } from "./late-ends.ts";

const egress = z.looseObject({ port: z.number().int().positive() });
/** Read by workerd for HTTPS that a container's Worker intercepts; here none is. */
const NO_AUTHORITY = "";
/** To `CONNECT`: workerd takes it for a port on which nothing listens. */
const NOT_LISTENING = "400 Bad Request";
/** To a request whose connection the container ended before it answered: workerd would wait for an answer for ever, even after a reset. */
const BROKEN_OFF = "502 Bad Gateway";

export interface Sidecar {
  /** Where it listens. */
  readonly port: number;
  /** The port where workerd takes what the container sends; `undefined` until it says. */
  readonly egressPort: number | undefined;
  stop(): Promise<void>;
}

/**
 * @param portOf the loopback port behind a port of the container; `undefined` when there is none
 * @param at where to listen; any free port on loopback otherwise
 */
export async function startSidecar(
  portOf: (port: number) => number | undefined,
  at: { host: string; port: number } = { host: "127.0.0.1", port: 0 },
): Promise<Sidecar> {
  let egressPort: number | undefined;
  const open = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server: Server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/ca") return void response.end(NO_AUTHORITY);
    if (request.method !== "PUT" || request.url !== "/egress") return void response.writeHead(404).end();
    const told = egress.safeParse(await json(request).catch(() => undefined));
    if (!told.success) return void response.writeHead(400).end();
    egressPort = told.data.port;
    response.writeHead(200).end();
  });
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    keep(client);
    const port = portOf(Number(/:(\d+)$/.exec(request.url ?? "")?.[1]));
    if (port === undefined) return answer(client, NOT_LISTENING);
    const inside: Socket = connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen: true });
    keep(inside);
    const unreachable = () => answer(client, NOT_LISTENING);
    inside.once("error", unreachable);
    inside.once("connect", () => {
      inside.off("error", unreachable);
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      if (head.length > 0) inside.write(head);
      client.pipe(inside);
      inside.pipe(client, { end: false });
      const ended = () => (inside.bytesRead === 0 ? answer(client, BROKEN_OFF) : endLate(client));
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

/** In the place of what did not come from the container; nothing when the connection is over. */
function answer(client: Duplex, status: string): void {
  if (client.writable) client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
}
