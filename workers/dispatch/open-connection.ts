/** What stays open after its answer began, relayed so that it can be ended when it may no longer be. */
import type { KeepAlive } from "../access/single-flight.ts";
import type { Admission } from "./admission.ts";

/** RFC 6455: the end breaks a policy. */
const POLICY_VIOLATION = 1008;
/** RFC 6455: the other end broke off. */
const BROKEN_OFF = 1011;
/** 1005, 1006 and 1015 tell of a missing code and may not be sent. */
const UNSENDABLE: ReadonlySet<number> = new Set([1005, 1006, 1015]);
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

/** Puts a pair between the two ends of a WebSocket. @returns the client's end */
export function relayedWebSocket(tenant: WebSocket, admission: Admission, keepAlive: KeepAlive): WebSocket {
  const { 0: client, 1: server } = new WebSocketPair();
  const stop = watch(admission, keepAlive, () => {
    server.close(POLICY_VIOLATION, REASON);
    tenant.close(POLICY_VIOLATION, REASON);
  });
  const pass = (from: WebSocket, to: WebSocket): void => {
    // A blob could be read only with a delay, in which messages would change their order.
    from.binaryType = "arraybuffer";
    from.addEventListener("message", ({ data }) => {
      if (to.readyState === WebSocket.OPEN) to.send(data);
    });
    from.addEventListener("close", ({ code, reason }) => {
      stop();
      to.close(UNSENDABLE.has(code) ? 1000 : code, reason);
    });
    from.addEventListener("error", () => {
      stop();
      to.close(BROKEN_OFF, "the connection broke off");
    });
  };
  pass(server, tenant);
  pass(tenant, server);
  tenant.accept();
  server.accept();
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
