/** Connections in the network of a container, as its own programs open them. */
import { readlinkSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { enterNetworkOf } from "../network/namespaces/namespace.ts";
import { NamespaceSockets } from "../network/namespaces/sockets.ts";

/** For documentation (RFC 5737): a Worker intercepts requests by their host. */
const ELSEWHERE = "192.0.2.1";

export class Inside {
  /** Undefined when the container shares the machine's network. */
  readonly #sockets: NamespaceSockets | undefined;
  readonly #endings: (() => unknown)[] = [];

  /** @param pid of a process of the container, on the machine */
  constructor(pid: number) {
    const isShared = readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync("/proc/self/ns/net");
    this.#sockets = isShared ? undefined : new NamespaceSockets(enterNetworkOf(pid));
  }

  /** Connects to a port of the container. */
  async connect(port: number): Promise<Socket> {
    return this.#sockets?.connect(port) ?? connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  }

  /** Connects to port 80 of another host. */
  connectOut(): Promise<Socket> {
    if (this.#sockets === undefined) throw new Error("the container has no network of its own");
    return this.#sockets.connect(80, ELSEWHERE);
  }

  /** Returns a port of this machine that leads to a port of the container. */
  async forward(port: number): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, async (client) => {
      client.on("error", () => client.destroy());
      const inside = await this.connect(port).catch(() => undefined);
      if (inside === undefined) return void client.destroy();
      inside.on("error", () => inside.destroy());
      client.pipe(inside).pipe(client);
      client.once("close", () => inside.destroy());
      inside.once("close", () => client.destroySoon());
    });
    return this.#serve(server);
  }

  /** Returns a URL on this machine for a URL that the container's programs use, whose host its Worker intercepts. */
  async reach(url: string): Promise<string> {
    const { host, pathname } = new URL(url);
    if (this.#sockets === undefined) return url;
    const server = createHttpServer(async (incoming, outgoing) => {
      const socket = await this.connectOut();
      if (outgoing.destroyed) return void socket.destroy();
      passRequest(host, socket, incoming, outgoing);
    });
    this.#endings.push(() => closeAndCut(server));
    return `http://127.0.0.1:${await listen(server, { port: 0 })}${pathname.replace(/\/$/, "")}`;
  }

  async #serve(server: Server): Promise<number> {
    const open = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    });
    this.#endings.push(() => {
      server.close();
      for (const socket of open) socket.destroy();
    });
    return listen(server, { port: 0 });
  }

  close(): void {
    this.#sockets?.close();
    for (const end of this.#endings.splice(0)) end();
  }
}

function passRequest(host: string, socket: Socket, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ createConnection: () => socket, method, path, headers: { ...headers, host } });
  onward.flushHeaders();
  incoming.pipe(onward);
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) socket.resetAndDestroy();
  });
  onward.once("error", () => outgoing.destroy());
  onward.once("response", (received) => {
    outgoing.writeHead(received.statusCode ?? 502, received.rawHeaders);
    outgoing.flushHeaders();
    received.once("error", () => outgoing.destroy());
    received.pipe(outgoing);
  });
}
