/** Tells a meter how long an answer takes, and what a client sends on a WebSocket. */
import type { ActivityMeter } from "./activity-meter.ts";
import type { Connections } from "./connections.ts";

/** 1005, 1006 and 1015 tell of a missing code and may not be sent. */
const sendable = (code: number): number => (code === 1005 || code === 1006 || code === 1015 ? 1000 : code);

/** Tells a client that the connection was ended from outside, and that it may come back: "Service Restart". */
const CUT_CODE = 1012;
const CUT_REASON = "the platform ended the connection; open it again";

/** Puts a pair between the two ends of a WebSocket. @returns the client's end */
function relay(gateway: WebSocket, meter: ActivityMeter, connections: Connections): WebSocket {
  const { 0: client, 1: server } = new WebSocketPair();
  const over = connections.add(() => {
    server.close(CUT_CODE, CUT_REASON);
    gateway.close(1001, CUT_REASON);
  });
  const pass = (from: WebSocket, to: WebSocket, sent: () => void): void => {
    // A blob could be read only with a delay, in which messages would change their order.
    from.binaryType = "arraybuffer";
    from.addEventListener("message", ({ data }) => {
      sent();
      if (to.readyState === WebSocket.OPEN) to.send(data);
    });
    from.addEventListener("close", ({ code, reason }) => {
      over();
      to.close(sendable(code), reason);
    });
    from.addEventListener("error", () => {
      over();
      to.close(1011, "the connection broke off");
    });
  };
  pass(server, gateway, () => meter.message());
  pass(gateway, server, () => {});
  gateway.accept();
  server.accept();
  meter.opened();
  return client;
}

/** The answer's bytes, until whose end `over` waits. A known length stays known, so that an answer cut off is seen to be. */
function until(response: Response, body: ReadableStream, connections: Connections, over: () => void): Response {
  const headers = new Headers(response.headers);
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  if (length === null) headers.delete("content-length");
  const { readable, writable } =
    length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
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
  connections: Connections,
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
