import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/**
 * Sends the head that was written to `response`: in one packet with the first of `body` when that is there already, since each
 * packet wakes whoever reads it; else at once, since a stream may begin late. To be called before `body` is piped.
 */
export function sendHead(response: ServerResponse, body: Readable): void {
  const flush = setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders();
  });
  body.once("data", () => clearImmediate(flush));
}
