/** Proxy of a database that can become silent like a network: it forwards nothing and closes no connection. */
import { connect, createServer, type Socket } from "node:net";
import { listen } from "@tenantry/std/listening";

export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** Forwards nothing. New connections wait. */
  fallSilent(): void;
  /** Forwards everything, also what has waited. */
  goOn(): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** Peers of connections that were reset during the silence. */
  const ended = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("data", (chunk) => other.write(chunk));
      one.on("end", () => other.end());
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        // A reset connection has no `end` event to forward.
        if (isSilent) ended.add(other);
        else other.end();
      });
      if (isSilent) one.pause();
    }
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${await listen(server, { port: 0 })}`;
  return {
    url: url.href,
    fallSilent() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isSilent = false;
      for (const socket of sockets) socket.resume();
      for (const socket of ended) socket.end();
      ended.clear();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
