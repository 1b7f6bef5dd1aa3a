import { createServer } from "node:net";

/** Returns `wanted` when it is free on 127.0.0.1, else another free port. */
export async function freePort(wanted?: number): Promise<number> {
  const port = (wanted === undefined ? undefined : await tryPort(wanted)) ?? (await tryPort(0));
  if (port === undefined) throw new Error("No TCP port is free on 127.0.0.1.");
  return port;
}

/** Returns the port, or `undefined` when it is in use. */
function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
