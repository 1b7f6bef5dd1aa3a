/** Servers of this process: when they take connections, and how they end with all of them. */
import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";
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
