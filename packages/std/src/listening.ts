import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * How long a server keeps an idle connection, in milliseconds: longer than workerd and other clients do. With Node's default of five seconds,
 * which is also workerd's, a client would send requests on connections that the server just closed.
 */
const KEEP_ALIVE_MS = 60_000;

/** A port (0 for any free one) of a host, by default 127.0.0.1, or the path of a unix socket. */
type ListenAddress = { port: number; host?: string } | { path: string };

/** Starts a server, which keeps idle HTTP connections for a minute. @returns the port; 0 for a unix socket. @throws Error when the port is in use */
export function listen(server: Server, address: ListenAddress): Promise<number> {
  if (server instanceof HttpServer || server instanceof HttpsServer) server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE" && "port" in address;
      reject(taken ? new Error(`Port ${address.port} is in use by another program.`, { cause: error }) : error);
    });
    server.listen("port" in address ? { host: "127.0.0.1", ...address } : address, () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : 0);
    });
  });
}

/**
 * Closes a server and its open connections.
 *
 * @param upgraded sockets that the server no longer owns, to close too
 */
export function closeAndCut(server: HttpServer, upgraded: Iterable<Duplex> = []): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  });
}

/** How long a client may continue to send after its response. */
const LINGER_MS = 2_000;

/**
 * Continues to read from a client when its response ends the connection. A client that is cut off while it sends may lose the response
 * (RFC 9112, 9.6).
 */
export function linger(server: HttpServer): void {
  server.on("connection", (socket: Socket) => {
    // The default closes at once.
    socket.destroySoon = () => {
      socket.end(() => {
        const timer = setTimeout(() => socket.destroy(), LINGER_MS);
        socket.once("close", () => clearTimeout(timer));
      });
    };
  });
}
