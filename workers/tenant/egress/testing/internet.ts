/** A server in place of all hosts of the internet, and requests as a container sends them. */
import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";

export interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Internet {
  readonly address: string;
  /** Requests with the default response, oldest first. */
  readonly received: Received[];
  /** Responds before the body is read. Default: 200 with the URL after the body */
  respond: ((incoming: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Returns where a URL redirects. Default: nowhere */
  redirect: ((url: string) => string | undefined) | undefined;
  stop(): Promise<void>;
}

const WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export async function startInternet(): Promise<Internet> {
  const received: Received[] = [];
  const upgraded = new Set<Socket>();
  // workerd sends the host in the URL only.
  const server = createServer({ requireHostHeader: false }, async (incoming, response) => {
    if (internet.respond !== undefined) return internet.respond(incoming, response);
    const { method, url, headers } = incoming;
    received.push({ method, url, headers, body: await text(incoming) });
    const location = internet.redirect?.(url ?? "");
    if (location !== undefined) return response.writeHead(302, { location }).end();
    response.writeHead(200, { "content-type": "text/plain" }).end(url);
  });
  // Sends the first frame of the client back.
  server.on("upgrade", ({ headers, url, method }, socket: Socket) => {
    upgraded.add(socket);
    received.push({ method, url, headers, body: "" });
    const accept = createHash("sha1").update(headers["sec-websocket-key"] + WEBSOCKET_GUID);
    const lines = ["HTTP/1.1 101 Switching Protocols", "connection: upgrade", "upgrade: websocket"];
    socket.write(`${[...lines, `sec-websocket-accept: ${accept.digest("base64")}`].join("\r\n")}\r\n\r\n`);
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from("hello")]));
    socket.on("error", () => socket.destroy());
  });
  const internet: Internet = {
    address: `127.0.0.1:${await listen(server, { port: 0 })}`,
    received,
    respond: undefined,
    redirect: undefined,
    stop: () => closeAndCut(server, upgraded),
  };
  return internet;
}

/** Sends a request to a URL. @returns the response, whose body the caller reads */
export function sendOut(
  port: number,
  url: string,
  { body, ...init }: { method?: string; headers?: Record<string, string>; body?: Readable | string } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const target = { host: "127.0.0.1", port, path: url, agent: false };
    const sent = request({ ...target, ...init, headers: { host, ...init.headers } });
    sent.once("response", resolve);
    sent.once("error", reject);
    if (body === undefined || typeof body === "string") sent.end(body);
    else body.pipe(sent);
  });
}

/** Opens a WebSocket. @returns the first bytes from the host */
export function firstFrame(port: number, url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const sent = request({ host: "127.0.0.1", port, path: url, agent: false, headers: { host, ...headers } });
    sent.once("upgrade", (_, socket, head) => {
      const received = (data: Buffer) => {
        socket.destroy();
        resolve(data.toString("latin1"));
      };
      if (head.length > 0) received(head);
      else socket.once("data", received);
    });
    sent.once("response", ({ statusCode }) => reject(new Error(`The host responds with status ${statusCode}.`)));
    sent.once("error", reject);
    sent.end();
  });
}
