import type { Socket } from "node:net";
import { socketsWithUnsentBytes } from "./unsent-bytes.ts";

/** How long workerd has to end a connection that its container has ended. */
const GRACE_MS = 250;
/** Bytes that the receiver of a connection surely buffers: half of Linux's buffer on loopback. */
const BUFFERED_BYTES = 32_768;

/** Connections that their containers have ended, with the time of their reset. */
const due = new Map<Socket, number>();
let timer: NodeJS.Timeout | undefined;

/**
 * Ends a connection that its container has ended after it sent something. workerd ends it after a complete response. It ignores a plain end
 * in the middle of a response or a WebSocket and would wait forever, so the connection is reset.
 */
export function endLate(client: Socket): void {
  if (client.destroyed || due.has(client)) return;
  if (client.readableEnded) return void client.end();
  due.set(client, performance.now() + GRACE_MS);
  client.once("end", () => client.end());
  client.once("close", () => due.delete(client));
  if (timer === undefined) timer = setTimeout(resetLate, GRACE_MS);
}

function resetLate(): void {
  const now = performance.now();
  const late = [...due].filter(([, at]) => at <= now).map(([client]) => client);
  // Do not reset slow receivers. After a reset a receiver still reads what is in its buffer.
  const slow = socketsWithUnsentBytes(late.filter(({ bytesWritten }) => bytesWritten > BUFFERED_BYTES));
  for (const client of late) if (!slow.has(client)) client.resetAndDestroy();
  timer = due.size > 0 ? setTimeout(resetLate, GRACE_MS) : undefined;
}
