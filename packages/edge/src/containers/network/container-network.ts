/** The network of a container: this process accepts its connections to any address, whose local address is their destination. */
import type { Socket as UdpSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import type { Namespace } from "./namespaces/namespace.ts";
import { DNS_PORT } from "./namespaces/prepared.ts";
import { NamespaceSockets } from "./namespaces/sockets.ts";

export interface NetworkEvents {
  /** Called for each connection of the container, except for those to its own addresses. */
  onConnection(socket: Socket): void;
  onDnsConnection(socket: Socket): void;
  onDnsSocket(socket: UdpSocket): void;
}

export class ContainerNetwork {
  readonly #namespace: Namespace;
  readonly #sockets: NamespaceSockets;
  readonly #servers: Server[] = [];

  constructor(namespace: Namespace, events: NetworkEvents) {
    this.#namespace = namespace;
    this.#sockets = new NamespaceSockets(namespace.enter, namespace.sockets.splice(0));
    if (namespace.dns !== undefined) events.onDnsSocket(namespace.dns);
    for (const { port, handle } of namespace.listeners.splice(0)) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        port === DNS_PORT ? events.onDnsConnection(socket) : events.onConnection(socket),
      );
      server.on("error", () => {});
      server.listen(handle);
      this.#servers.push(server);
    }
  }

  /** Command line that runs a program in it. */
  get enter(): readonly string[] {
    return this.#namespace.enter;
  }

  /** Connects to a port of the container, or of another address in its network. The result connects, or ends with an error. */
  connect(port: number, host?: string): Promise<Socket> {
    return this.#sockets.connect(port, host);
  }

  /** Further calls have no effect. */
  close(): void {
    for (const server of this.#servers.splice(0)) server.close();
    this.#sockets.close();
    this.#namespace.close();
  }
}
