/** Relays responses that stay open, to end them when they are no longer allowed. */
import { relayWebSocket } from "#workers/shared/relayed-web-socket.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Admission } from "./admission.ts";

/** RFC 6455. */
const POLICY_VIOLATION = 1008;
const REASON = "permission denied; log in again";

/** Calls `end` when an admission no longer holds. @returns stops the checks */
function watch(admission: Admission, keepAlive: KeepAlive, end: () => void): () => void {
  let stopped = false;
  let timer = setTimeout(check, admission.wait());
  function check(): void {
    admission
      .holds(keepAlive)
      // A check that keeps failing must end the connection.
      .catch(() => false)
      .then((holds) => {
        if (stopped) return;
        if (holds) timer = setTimeout(check, admission.wait());
        else end();
      });
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

export function relayedWebSocket(tenant: WebSocket, admission: Admission, keepAlive: KeepAlive): WebSocket {
  const { client, server } = relayWebSocket(tenant, { over: () => stop() });
  const stop = watch(admission, keepAlive, () => {
    server.close(POLICY_VIOLATION, REASON);
    tenant.close(POLICY_VIOLATION, REASON);
  });
  return client;
}

export function relayedBody(body: ReadableStream, admission: Admission, keepAlive: KeepAlive): ReadableStream {
  const { readable, writable } = new IdentityTransformStream();
  const ended = new AbortController();
  const stop = watch(admission, keepAlive, () => ended.abort(new Error(REASON)));
  const piped = body.pipeTo(writable, { signal: ended.signal });
  keepAlive(piped.catch(() => undefined).finally(stop));
  return readable;
}
