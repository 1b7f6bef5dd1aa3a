/** A socket of a container engine for workerd. It adds to created containers what workerd does not set, and passes all other calls on. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { json } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import { type CreateBody, createBody } from "./hardening.ts";

interface HardenedSocket {
  stop(): Promise<void>;
}

interface SocketOptions {
  /** Of the engine. */
  socket: string;
  /** Of the new socket. */
  path: string;
  harden(name: string, body: CreateBody): Promise<CreateBody>;
  log: Log;
}

const CREATE = "/containers/create";
const REMOVE = /^\/containers\/[^/]+$/;

function passUpgrade(socket: string, open: Set<Duplex>, incoming: IncomingMessage, client: Duplex, head: Buffer): void {
  const engine = connect({ path: socket, allowHalfOpen: true });
  for (const one of [client, engine]) {
    open.add(one);
    one.on("error", () => one.destroy());
    one.once("close", () => open.delete(one));
  }
  client.once("close", () => engine.destroy());
  engine.once("close", () => client.destroy());
  const { rawHeaders: raw } = incoming;
  const lines = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${raw[i + 1]}`] : []));
  engine.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  engine.write(head);
  client.pipe(engine).pipe(client);
}

/** @throws Error when the socket cannot be created */
export async function startHardenedSocket({ socket, path, harden, log }: SocketOptions): Promise<HardenedSocket> {
  const open = new Set<Duplex>();

  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, headers } = incoming;
    const url = new URL(incoming.url ?? "/", "http://engine");
    let body: string | undefined;
    if (method === "POST" && url.pathname === CREATE) {
      const created = createBody.parse(await json(incoming));
      body = JSON.stringify(await harden(url.searchParams.get("name") ?? "", created));
    }
    // Volumes end with their container.
    if (method === "DELETE" && REMOVE.test(url.pathname)) url.searchParams.set("v", "true");
    const outgoing = request(
      {
        socketPath: socket,
        method,
        path: url.pathname + url.search,
        headers: body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) },
      },
      (answered) => {
        response.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.once("error", () => response.destroy());
        answered.pipe(response);
      },
    );
    outgoing.once("error", () => response.destroy());
    // A caller that has disconnected cancels its call.
    response.once("close", () => outgoing.destroy());
    if (body === undefined) incoming.pipe(outgoing);
    else outgoing.end(body);
  };

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      log("containers", "call-failed", { url: incoming.url, message });
      response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ message }));
    });
  });
  server.requestTimeout = 0;
  server.on("upgrade", (incoming: IncomingMessage, client: Duplex, head: Buffer) =>
    passUpgrade(socket, open, incoming, client, head),
  );
  await listen(server, { path });
  return { stop: () => closeAndCut(server, open) };
}
