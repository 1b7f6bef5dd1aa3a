import type { Socket } from "node:net";
import { unsent } from "./unsent-bytes.ts";

/** How long workerd has to end a connection that its container has ended, in milliseconds. */
const LATE_MS = 250;
/** Bytes that a new connection's receiver takes in before anyone reads them: half of what Linux offers on loopback. */
const SURELY_TAKEN_IN = 32_768;

/** Connections that their containers have ended, by the time at which they are reset. */
const due = new Map<Socket, number>();
let timer: NodeJS.Timeout | undefined;

/**
 * Ends a connection whose container has ended it after it sent something. After a whole answer workerd ends it by itself; of a plain end in the middle of
 * an answer or a WebSocket it takes no notice, and would wait for ever, so that the connection is reset.
 */
export function endLate(client: Socket): void {
  if (client.destroyed || due.has(client)) return;
  if (client.readableEnded) {
    client.end();
    return;
  }
  due.set(client, performance.now() + LATE_MS);
  client.once("end", () => client.end());
  client.once("close", () => due.delete(client));
  if (timer === undefined) timer = setTimeout(resetLate, LATE_MS);
}

function resetLate(): void {
  const now = performance.now();
  const late = [...due].filter(([, at]) => at <= now).map(([client]) => client);
  // What is read slowly is not broken off. After a reset a receiver still reads what its system has taken in.
  const slow = unsent(late.filter(({ bytesWritten }) => bytesWritten > SURELY_TAKEN_IN));
  for (const client of late) if (!slow.has(client)) client.resetAndDestroy();
  timer = due.size > 0 ? setTimeout(resetLate, LATE_MS) : undefined;
}
