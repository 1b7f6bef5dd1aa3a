/** The server of a vendor's stand-in, on 127.0.0.1. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { type WebSocket, WebSocketServer } from "ws";

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export abstract class VendorServer {
  readonly #sockets = new WebSocketServer({ noServer: true });
  #server: Server | undefined;
  #port = 0;
  /** The name by which its URLs are reached. */
  host = "127.0.0.1";
  /** Of a server in front of it. Default: its own */
  origin: string | undefined;

  /** @param connect takes a WebSocket. Undefined: there are none. @param port Default: any free one */
  protected async listen(respond: Respond, connect?: (socket: WebSocket, url: URL) => void, port = 0): Promise<void> {
    const server = createServer((request, response) => void respond(request, response));
    this.#server = server;
    this.#port = await listen(server, { port });
    if (connect !== undefined)
      server.on("upgrade", (request, connection, head) =>
        this.#sockets.handleUpgrade(request, connection, head, (socket) =>
          connect(socket, new URL(request.url ?? "/", this.url)),
        ),
      );
  }

  /** Replaces the base URL of the vendor's API, such as `https://slack.com` or grammY's `apiRoot`. */
  get url(): string {
    return this.origin ?? `http://${this.host}:${this.#port}`;
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    if (this.#server !== undefined) void closeAndCut(this.#server);
  }
}
