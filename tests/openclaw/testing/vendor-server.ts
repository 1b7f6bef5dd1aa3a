/** The server of a vendor's stand-in, on 127.0.0.1. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { type WebSocket, WebSocketServer } from "ws";

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export abstract class VendorServer {
  readonly #sockets = new WebSocketServer({ noServer: true });
  #server: Server | undefined;
  #url = "";

  /** @param connect takes a WebSocket. Undefined: there are none. */
  protected async listen(respond: Respond, connect?: (socket: WebSocket, url: URL) => void): Promise<void> {
    const server = createServer((request, response) => void respond(request, response));
    this.#server = server;
    this.#url = `http://127.0.0.1:${await listen(server, { port: 0 })}`;
    if (connect !== undefined)
      server.on("upgrade", (request, connection, head) =>
        this.#sockets.handleUpgrade(request, connection, head, (socket) =>
          connect(socket, new URL(request.url ?? "/", this.#url)),
        ),
      );
  }

  /** Replaces the base URL of the vendor's API, such as `https://slack.com` or grammY's `apiRoot`. */
  get url(): string {
    return this.#url;
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    if (this.#server !== undefined) void closeAndCut(this.#server);
  }
}
