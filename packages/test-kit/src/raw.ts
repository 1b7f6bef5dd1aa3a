/** Requests that no client library would send, as text on a socket. */
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  status: number;
  /** All that came, head and body. */
  text: string;
}

/** How long an answer may take, in milliseconds; a busy machine may need much of it. */
const ANSWER_MS = 60_000;

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  // What matters is what came before the other side broke off.
  socket.on("error", () => {});
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  return socket;
}

// `once` of Node's rejects with an error of the socket.
const next = (socket: Socket, event: "connect" | "data" | "drain") =>
  new Promise<void>((resolve) => void socket.once(event, () => resolve()));
const ending = (socket: Socket) => new Promise<void>((resolve) => void socket.once("close", () => resolve()));

/** The answer to `request`, which must ask for the connection to be closed. @returns status 0 when there was none */
export async function sendRaw(port: number, request: string | Buffer | AsyncIterable<Buffer>): Promise<RawAnswer> {
  const socket = open(port);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = ending(socket);
  if (typeof request === "string" || Buffer.isBuffer(request)) socket.write(request);
  else
    for await (const chunk of request) {
      if (socket.destroyed || chunks.length > 0) break;
      if (!socket.write(chunk)) await Promise.race([next(socket, "drain"), closed, next(socket, "data")]);
    }
  if (chunks.length > 0) socket.end();
  await closed;
  const text = Buffer.concat(chunks).toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text };
}

/** What comes for `bytes` after which the client sends no more, though it goes on listening. @returns status 0 for nothing */
export async function sendAndEnd(port: number, bytes: Buffer): Promise<RawAnswer> {
  const socket = open(port);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = ending(socket);
  socket.end(bytes);
  await closed;
  const text = Buffer.concat(chunks).toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text };
}

/** Sends `request` and breaks off when `until` is in the answer, or at once; with a reset, not an orderly end. */
export async function breakOff(port: number, request: string, until?: string, then?: Buffer): Promise<string> {
  const socket = open(port);
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  const closed = ending(socket);
  await next(socket, "connect");
  await new Promise((resolve) => socket.write(request, resolve));
  if (until !== undefined) {
    while (!text.includes(until) && !socket.destroyed) await Promise.race([next(socket, "data"), closed]);
    if (then !== undefined && !socket.destroyed) await new Promise((resolve) => socket.write(then, resolve));
  }
  socket.resetAndDestroy();
  await closed;
  return text;
}
