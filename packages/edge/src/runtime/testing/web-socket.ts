import { once } from "node:events";
import { WebSocket } from "ws";

/** Opens a WebSocket with the `Host` of `address`, which need not resolve. @throws Error with the status of another response */
export async function openSocket(port: number, address: string): Promise<WebSocket> {
  const slash = address.indexOf("/");
  const socket = new WebSocket(`ws://127.0.0.1:${port}${address.slice(slash)}`, {
    headers: { host: `${address.slice(0, slash)}:${port}` },
  });
  await once(socket, "open");
  return socket;
}

/** Sends `text` and returns the next message. */
export async function exchange(socket: WebSocket, text: string): Promise<string> {
  const received = once(socket, "message");
  socket.send(text);
  const [data] = await received;
  return String(data);
}
