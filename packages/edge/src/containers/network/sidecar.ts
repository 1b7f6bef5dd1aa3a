import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { json } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import * as z from "zod";
import { Authority } from "./authority.ts";
import { endLate } from "./late-ends.ts";
import type { NameRules } from "./names/names.ts";

/** After it has restarted, workerd sends the port only. */
const egress = z.looseObject({
  port: z.number().int().positive(),
  dns: z.looseObject({ allowHostnames: z.array(z.string()).default([]) }).optional(),
  internet: z.looseObject({ enabled: z.boolean() }).optional(),
});
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
  /** From workerd. */
  readonly rules: NameRules;
  /** Ends the TLS of connections that workerd intercepts. */
  readonly authority: Authority;
  stop(): Promise<void>;
}

interface SidecarOptions {
  at?: { host: string; port: number };
  internet?: boolean | undefined;
}

/**
 * Starts a sidecar.
 *
 * @param connectTo connects to a port of the container, if it has one
 * @param o.at address to listen on. Default: a free port on loopback
 * @param o.internet whether the container may reach the internet, until workerd sends it. Default: false
 */
export async function startSidecar(
  connectTo: (port: number) => Socket | Promise<Socket> | undefined,
  { at = { host: "127.0.0.1", port: 0 }, internet = false }: SidecarOptions = {},
): Promise<Sidecar> {
  let egressPort: number | undefined;
  let rules: NameRules = { allowHostnames: [], internet };
  let authority: Authority | undefined;
  const open = new Set<Duplex>();
  const track = (socket: Duplex): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server: Server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/ca") return void response.end(sidecar.authority.certificate);
    if (request.method !== "PUT" || request.url !== "/egress") return void response.writeHead(404).end();
    const body = egress.safeParse(await json(request).catch(() => undefined));
    if (!body.success) return void response.writeHead(400).end();
    egressPort = body.data.port;
    const { dns, internet: given } = body.data;
    rules = {
      allowHostnames: dns?.allowHostnames ?? rules.allowHostnames,
      internet: given?.enabled ?? rules.internet,
    };
    response.writeHead(200).end();
  });
  server.on("connect", async (request: IncomingMessage, client: Socket, head: Buffer) => {
    track(client);
    const port = Number(/:(\d+)$/.exec(request.url ?? "")?.[1]);
    // A container that ends has no ports.
    const inside = await Promise.resolve(connectTo(port)).catch(() => undefined);
    if (inside === undefined) return respondToConnect(client, NOT_LISTENING);
    track(inside);
    if (client.destroyed) return void inside.destroy();
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
  const sidecar: Sidecar = {
    port,
    get egressPort() {
      return egressPort;
    },
    get rules() {
      return rules;
    },
    get authority() {
      authority ??= new Authority();
      return authority;
    },
    stop: () => closeAndCut(server, open),
  };
  return sidecar;
}

/** Connects to a port of this machine. */
export const connectLoopback = (port: number): Socket =>
  connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen: true });

function respondToConnect(client: Duplex, status: string): void {
  if (client.writable) client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
}
