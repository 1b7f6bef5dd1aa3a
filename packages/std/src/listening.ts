/** Servers of this process: when they take connections, and how they end with all of them. */
import type { Server as HttpServer } from "node:http";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Where a server listens: a port (0 for any free one) of an address, by default loopback's, or the path of a unix socket. */
export type Place = { port: number; host?: string } | { path: string };

/** @returns the port; 0 for a unix socket. @throws Error with one sentence when it cannot listen there */
export function listen(server: Server, place: Place): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE" && "port" in place;
      reject(taken ? new Error(`Port ${place.port} is in use by another program.`, { cause: error }) : error);
    });
    server.listen("port" in place ? { host: "127.0.0.1", ...place } : place, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/**
 * Takes no more connections and cuts those that are open.
 *
 * @param upgraded sockets that are the server's no longer. Default: none
 */
export function closeAndCut(server: HttpServer, upgraded: Iterable<Duplex> = []): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  });
}

/**
 * How long servers of Workers keep an unused connection, in milliseconds: longer than workerd does (5 s, Node's default too), whose next
 * request would otherwise meet a closed one.
 */
export const KEEP_ALIVE_MS = 60_000;

/** How long a client may go on sending after its answer, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Reads on, for a while, what a client still sends when its answer ends the connection: one that is cut off while it sends may lose
 * the answer, and with it the reason (RFC 9112, 9.6).
 */
export function linger(server: HttpServer): void {
  server.on("connection", (socket: Socket) => {
    // Node's closes at once, whatever is on its way here.
    socket.destroySoon = () => {
      socket.end(() => {
        const timer = setTimeout(() => socket.destroy(), LINGER_MS);
        socket.once("close", () => clearTimeout(timer));
      });
    };
  });
}
