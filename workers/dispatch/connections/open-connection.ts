/** What stays open after its answer began, relayed so that it can be ended when it may no longer be. */

import { relayWebSocket } from "#workers/shared/relayed-web-socket.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Admission } from "./admission.ts";

/** RFC 6455: the end breaks a policy. */
const POLICY_VIOLATION = 1008;
const REASON = "you may no longer be connected; log in again";

/**
 * Looks at an admission again and again, with one timer, and calls `end` when it no longer holds.
 *
 * @returns stops looking
 */
function watch(admission: Admission, keepAlive: KeepAlive, end: () => void): () => void {
  let over = false;
  let timer = setTimeout(look, admission.wait());
  function look(): void {
    admission
      .holds(keepAlive)
      // What cannot be judged is not open for ever.
      .catch(() => false)
      .then((holds) => {
        if (over) return;
        if (holds) timer = setTimeout(look, admission.wait());
        else end();
      });
  }
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

/** The client's end of a tenant's WebSocket. */
export function relayedWebSocket(tenant: WebSocket, admission: Admission, keepAlive: KeepAlive): WebSocket {
  const { client, server } = relayWebSocket(tenant, { over: () => stop() });
  const stop = watch(admission, keepAlive, () => {
    server.close(POLICY_VIOLATION, REASON);
    tenant.close(POLICY_VIOLATION, REASON);
  });
  return client;
}

/** The bytes of a body whose end nobody knows. */
export function relayedBody(body: ReadableStream, admission: Admission, keepAlive: KeepAlive): ReadableStream {
  const { readable, writable } = new IdentityTransformStream();
  const ended = new AbortController();
  const stop = watch(admission, keepAlive, () => ended.abort(new Error(REASON)));
  const piped = body.pipeTo(writable, { signal: ended.signal });
  keepAlive(piped.catch(() => undefined).finally(stop));
  return readable;
}
