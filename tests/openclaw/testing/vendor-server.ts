/** The server of a vendor's stand-in, on 127.0.0.1. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { type WebSocket, WebSocketServer } from "ws";

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export class VendorServer {
  /** Replaces the vendor's base URL. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @param connect takes a WebSocket. Undefined: there are none. */
  static async open(respond: Respond, connect?: (socket: WebSocket, url: URL) => void): Promise<VendorServer> {
    const server = createServer((request, response) => void respond(request, response));
    const one = new VendorServer(server, await listen(server, { port: 0 }));
    if (connect !== undefined)
      server.on("upgrade", (request, connection, head) =>
        one.#sockets.handleUpgrade(request, connection, head, (socket) =>
          connect(socket, new URL(request.url ?? "/", one.url)),
        ),
      );
    return one;
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    void closeAndCut(this.#server);
  }
}
