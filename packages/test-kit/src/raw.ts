import { connect, type Socket } from "node:net";

interface RawResponse {
  status: number;
  /** Head and body. */
  text: string;
}

const TIMEOUT_MS = 60_000;

function openSocket(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  // The response before the connection ended is the result.
  socket.on("error", () => {});
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  return socket;
}

// Node's own `once` would reject on an error of the socket.
const nextEvent = (socket: Socket, event: "connect" | "data" | "drain") =>
  new Promise<void>((resolve) => void socket.once(event, () => resolve()));
const untilClosed = (socket: Socket) => new Promise<void>((resolve) => void socket.once("close", () => resolve()));

function parseResponse(chunks: Buffer[]): RawResponse {
  const text = Buffer.concat(chunks).toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text };
}

/** Sends `request` as is. It must ask to close the connection. @returns status 0 without a response */
export async function sendRaw(port: number, request: string | Buffer | AsyncIterable<Buffer>): Promise<RawResponse> {
  const socket = openSocket(port);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = untilClosed(socket);
  if (typeof request === "string" || Buffer.isBuffer(request)) socket.write(request);
  else
    for await (const chunk of request) {
      if (socket.destroyed || chunks.length > 0) break;
      if (!socket.write(chunk)) await Promise.race([nextEvent(socket, "drain"), closed, nextEvent(socket, "data")]);
    }
  if (chunks.length > 0) socket.end();
  await closed;
  return parseResponse(chunks);
}

/** Sends `bytes` and ends the sending half of the connection. @returns status 0 without a response */
export async function sendAndEnd(port: number, bytes: Buffer): Promise<RawResponse> {
  const socket = openSocket(port);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = untilClosed(socket);
  socket.end(bytes);
  await closed;
  return parseResponse(chunks);
}

/** Sends `request` and resets the connection at once, or when the response contains `until`. @returns the response so far */
export async function sendAndReset(port: number, request: string, until?: string, then?: Buffer): Promise<string> {
  const socket = openSocket(port);
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  const closed = untilClosed(socket);
  await nextEvent(socket, "connect");
  await new Promise((resolve) => socket.write(request, resolve));
  if (until !== undefined) {
    while (!text.includes(until) && !socket.destroyed) await Promise.race([nextEvent(socket, "data"), closed]);
    if (then !== undefined && !socket.destroyed) await new Promise((resolve) => socket.write(then, resolve));
  }
  socket.resetAndDestroy();
  await closed;
  return text;
}
