import type { Socket } from "node:net";

const BODY = JSON.stringify({
  error: {
    code: "connect_refused",
    reason: "method",
    message: "CONNECT is not allowed here. Send the request to its host without a proxy.",
  },
});
const RESPONSE = [
  "HTTP/1.1 405 Method Not Allowed",
  ...[
    "allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "content-type: application/json",
    "cache-control: no-store",
  ],
  ...["connection: close", `content-length: ${Buffer.byteLength(BODY)}`],
].join("\r\n");

/** Refuses a request for a tunnel, for which workerd has no handler: it would respond with its stack trace. */
export function respondToConnect(client: Socket): void {
  client.resume();
  client.end(`${RESPONSE}\r\n\r\n${BODY}`);
}
