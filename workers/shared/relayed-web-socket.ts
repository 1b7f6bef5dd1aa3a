/** RFC 6455: reserved, must not be sent. */
const UNSENDABLE: ReadonlySet<number> = new Set([1005, 1006, 1015]);
/** RFC 6455: internal error. */
const INTERNAL_ERROR = 1011;

export interface RelayOptions {
  /** Called for each message of the client, before it is forwarded. */
  sent?: () => void;
  /** Called when an end closes or fails, at most once for each. */
  over: () => void;
}

/** Relays a WebSocket. @param inner not accepted yet @returns a pair: the client's end, and this end, which can be closed */
export function relayWebSocket(inner: WebSocket, { sent, over }: RelayOptions) {
  const { 0: client, 1: server } = new WebSocketPair();
  const relay = (from: WebSocket, to: WebSocket, onMessage?: () => void): void => {
    // Blobs are read asynchronously, which would reorder messages.
    from.binaryType = "arraybuffer";
    from.addEventListener("message", ({ data }) => {
      onMessage?.();
      if (to.readyState === WebSocket.OPEN) to.send(data);
    });
    from.addEventListener("close", ({ code, reason }) => {
      over();
      to.close(UNSENDABLE.has(code) ? 1000 : code, reason);
    });
    from.addEventListener("error", () => {
      over();
      to.close(INTERNAL_ERROR, "the connection was lost");
    });
  };
  relay(server, inner, sent);
  relay(inner, server);
  inner.accept();
  server.accept();
  return { client, server };
}
