/** A way to a database that can fall silent, as a network does: nothing passes any more, and no connection ends. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface DatabaseProxy {
  /** The database's URL, through it. */
  url: string;
  /** Lets nothing pass any more. Those who connect are kept waiting. */
  fallSilent(): void;
  /** Lets everything pass, what has waited too. */
  goOn(): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** The other ends of those that were reset in the silence. */
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
      // Whoever's end breaks hears of it there.
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        // One that is reset has no end that would have been passed on.
        if (isSilent) ended.add(other);
        else other.end();
      });
      if (isSilent) one.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
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
