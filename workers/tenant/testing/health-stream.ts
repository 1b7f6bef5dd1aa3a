/** A listener of a tenant's health stream. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";

export interface Listener {
  messages: HealthSnapshot[];
  send(data: string | Buffer): void;
  close(): Promise<void>;
}

/**
 * Opens the stream at `url`, whose scheme may be `http:`.
 *
 * @throws Error with the status of a response that is not a stream
 */
export async function listen(url: string, headers: Record<string, string> = {}): Promise<Listener> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
  const messages: HealthSnapshot[] = [];
  socket.on("message", (data) => messages.push(healthSnapshot.parse(JSON.parse(String(data)))));
  await once(socket, "open");
  return {
    messages,
    send: (data) => socket.send(data),
    close: async () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}
