/** Tells a meter how long an answer takes, and what a client sends on a WebSocket. */
import { passage } from "#workers/shared/passage.ts";
import { relayWebSocket } from "#workers/shared/relayed-web-socket.ts";
import type { OpenConnections } from "../gateway/open-connections.ts";
import type { ActivityMeter } from "./activity-meter.ts";

/** Tells a client that the connection was ended from outside, and that it may come back: "Service Restart". */
const CUT_CODE = 1012;
const CUT_REASON = "the platform ended the connection; open it again";

/** The client's end of the gateway's WebSocket. */
function relay(gateway: WebSocket, meter: ActivityMeter, connections: OpenConnections): WebSocket {
  const { client, server } = relayWebSocket(gateway, { sent: () => meter.message(), over: () => over() });
  const over = connections.add(() => {
    server.close(CUT_CODE, CUT_REASON);
    gateway.close(1001, CUT_REASON);
  });
  meter.opened();
  return client;
}

/** The answer's bytes, until whose end `over` waits. */
function until(response: Response, body: ReadableStream, connections: OpenConnections, over: () => void): Response {
  const headers = new Headers(response.headers);
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  if (length === null) headers.delete("content-length");
  const { readable, writable } = passage(length);
  const cut = new AbortController();
  const ended = length === null ? connections.add(() => cut.abort(new Error(CUT_REASON))) : () => {};
  body
    .pipeTo(writable, { signal: cut.signal })
    .catch(() => {})
    .finally(() => {
      ended();
      over();
    });
  return new Response(readable, { status: response.status, statusText: response.statusText, headers });
}

/**
 * @param connections where what may stay open for long can be ended
 * @param ask asks the gateway; that, its answer and what follows on a WebSocket are told to the meter
 */
export async function metered(
  meter: ActivityMeter,
  connections: OpenConnections,
  method: string,
  ask: () => Promise<Response>,
): Promise<Response> {
  const over = meter.begin();
  try {
    const response = await ask();
    if (response.webSocket !== null) {
      over();
      const { status, headers } = response;
      return new Response(null, { status, headers, webSocket: relay(response.webSocket, meter, connections) });
    }
    if (response.body !== null && method !== "HEAD") return until(response, response.body, connections, over);
    over();
    return response;
  } catch (error) {
    over();
    throw error;
  }
}
