/** A WebSocket client that names its host itself, for names no resolver knows. */
import { once } from "node:events";
import { WebSocket } from "ws";

/** Resolves when it is open. @throws Error with the status of an answer that is no WebSocket */
export async function openSocket(port: number, address: string): Promise<WebSocket> {
  const slash = address.indexOf("/");
  const socket = new WebSocket(`ws://127.0.0.1:${port}${address.slice(slash)}`, {
    headers: { host: `${address.slice(0, slash)}:${port}` },
  });
  await once(socket, "open");
  return socket;
}

/** Sends `text` and resolves with the next message. */
export async function exchange(socket: WebSocket, text: string): Promise<string> {
  const answered = once(socket, "message");
  socket.send(text);
  const [data] = await answered;
  return String(data);
}
