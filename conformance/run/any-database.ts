/** A server that lets every PostgreSQL client log in, and responds to each query with nothing: what an edge connects to. */
import { createServer } from "node:net";
import { listen } from "@tenantry/std/listening";

const AUTHENTICATED = Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1");
const EMPTY_QUERY = Buffer.from("I\0\0\0\x04", "latin1");
const READY = Buffer.from("Z\0\0\0\x05I", "latin1");
const QUERY = "Q".charCodeAt(0);

export interface AnyDatabase {
  url: string;
  close(): void;
}

export async function startAnyDatabase(): Promise<AnyDatabase> {
  const server = createServer((client) => {
    client.on("error", () => client.destroy());
    client.once("data", () => {
      client.write(Buffer.concat([AUTHENTICATED, READY]));
      client.on("data", ([kind]: Buffer) => {
        if (kind === QUERY) client.write(Buffer.concat([EMPTY_QUERY, READY]));
        else client.end();
      });
    });
  });
  const port = await listen(server, { port: 0 });
  return { url: `postgres://user:password@127.0.0.1:${port}/postgres`, close: () => void server.close() };
}
