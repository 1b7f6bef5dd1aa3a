/** One port for several servers, selected by the host of a connection's first request. */
import { connect, createServer, type Socket } from "node:net";
import { listen } from "@tenantry/std/listening";

export interface HostFront {
  url: URL;
  /** Closes the connections to a host and refuses new ones until `letIn`. */
  shut(host: string): void;
  letIn(host: string): void;
  stop(): Promise<void>;
}

/** @param targetOf returns the server of a host without port */
export async function startHostFront(targetOf: (host: string) => URL): Promise<HostFront> {
  const open = new Map<Socket, string>();
  const closed = new Set<string>();
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first) => {
      const host = /^host: *([^:\r\n]+)/im.exec(first.toString("latin1"))?.[1] ?? "";
      if (closed.has(host)) return socket.destroy();
      open.set(socket, host);
      const { hostname, port } = targetOf(host);
      const target = connect(Number(port), hostname);
      target.on("error", () => socket.destroy());
      socket.on("close", () => {
        open.delete(socket);
        target.destroy();
      });
      target.write(first);
      socket.pipe(target).pipe(socket);
    });
  });
  const port = await listen(server, { port: 0 });
  const cut = (of: (host: string) => boolean) => {
    for (const [socket, host] of open) if (of(host)) socket.destroy();
  };
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    shut(host) {
      closed.add(host);
      cut((one) => one === host);
    },
    letIn: (host) => void closed.delete(host),
    async stop() {
      cut(() => true);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
