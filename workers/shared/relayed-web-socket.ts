/** 1005, 1006 and 1015 of RFC 6455 tell of a missing code and may not be sent. */
const UNSENDABLE: ReadonlySet<number> = new Set([1005, 1006, 1015]);
/** Told to one end when the other broke off. */
const BROKEN_OFF = 1011;

export interface RelayOptions {
  /** Hears of each message of the client's, before it is passed on. */
  sent?: () => void;
  /** Is called when either end has closed or broken off; perhaps by both. */
  over: () => void;
}

/** A WebSocket with a pair between its two ends. */
export interface RelayedWebSocket {
  /** What the client gets. */
  client: WebSocket;
  /** This side of the client's end, to be closed from outside. */
  server: WebSocket;
}

/** Puts a pair between a client and what answered it. @param inner the answer's end, not accepted yet */
export function relayWebSocket(inner: WebSocket, { sent, over }: RelayOptions): RelayedWebSocket {
  const { 0: client, 1: server } = new WebSocketPair();
  const pass = (from: WebSocket, to: WebSocket, heard?: () => void): void => {
    // A blob could be read only with a delay, in which messages would change their order.
    from.binaryType = "arraybuffer";
    from.addEventListener("message", ({ data }) => {
      heard?.();
      if (to.readyState === WebSocket.OPEN) to.send(data);
    });
    from.addEventListener("close", ({ code, reason }) => {
      over();
      to.close(UNSENDABLE.has(code) ? 1000 : code, reason);
    });
    from.addEventListener("error", () => {
      over();
      to.close(BROKEN_OFF, "the connection broke off");
    });
  };
  pass(server, inner, sent);
  pass(inner, server);
  inner.accept();
  server.accept();
  return { client, server };
}
