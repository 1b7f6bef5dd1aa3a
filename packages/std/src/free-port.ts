/** TCP ports on loopback. */
import { createServer } from "node:net";

/** `wanted` when it is free on 127.0.0.1, else a free port. */
export async function freePort(wanted?: number): Promise<number> {
  const port = (wanted === undefined ? undefined : await listenOnce(wanted)) ?? (await listenOnce(0));
  if (port === undefined) throw new Error("No TCP port of 127.0.0.1 is free.");
  return port;
}

/** The port that could be listened on; `undefined` when it is taken. */
function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
