/** Meters responses and WebSocket messages. */
import { createPassThrough } from "#workers/shared/passage.ts";
import { relayWebSocket } from "#workers/shared/relayed-web-socket.ts";
import type { OpenConnections } from "../gateway/open-connections.ts";
import type { ActivityMeter } from "./activity-meter.ts";

/** "Service Restart": the client may connect again. */
const CUT_CODE = 1012;
const CUT_REASON = "The platform closed the connection. Connect again.";

type AddConnection = ReturnType<OpenConnections["begin"]>;

/** @returns the client's end of the gateway's WebSocket */
function relay(gateway: WebSocket, meter: ActivityMeter, add: AddConnection): WebSocket {
  const { client, server } = relayWebSocket(gateway, { sent: () => meter.countMessage(), over: () => remove() });
  const remove = add(() => {
    server.close(CUT_CODE, CUT_REASON);
    gateway.close(1001, CUT_REASON);
  });
  meter.countWebSocket();
  return client;
}

/** Returns the response with a body that calls `end` when it ends. */
function withEnd(response: Response, body: ReadableStream, add: AddConnection, end: () => void): Response {
  const headers = new Headers(response.headers);
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  if (length === null) headers.delete("content-length");
  const { readable, writable } = createPassThrough(length);
  const cut = new AbortController();
  const remove = length === null ? add(() => cut.abort(new Error(CUT_REASON))) : () => {};
  body
    .pipeTo(writable, { signal: cut.signal })
    .catch(() => {})
    .finally(() => {
      remove();
      end();
    });
  return new Response(readable, { status: response.status, statusText: response.statusText, headers });
}

/**
 * Sends a request and meters its response, including what follows on a WebSocket.
 *
 * @param connections receives WebSockets and responses without a length, so that they can be closed
 */
export async function metered(
  meter: ActivityMeter,
  connections: OpenConnections,
  method: string,
  send: () => Promise<Response>,
): Promise<Response> {
  const end = meter.begin();
  const add = connections.begin();
  try {
    const response = await send();
    if (response.webSocket === null && response.body !== null && method !== "HEAD")
      return withEnd(response, response.body, add, end);
    end();
    if (response.webSocket === null) return response;
    const { status, headers } = response;
    return new Response(null, { status, headers, webSocket: relay(response.webSocket, meter, add) });
  } catch (error) {
    end();
    throw error;
  }
}
