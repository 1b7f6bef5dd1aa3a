import { LIVE_PING, LIVE_PONG, type LiveMessage, liveMessage } from "#workers/contracts/live-messages.ts";
import { app } from "./app.ts";

const PING_MS = 30_000;
/** The server answers each ping, so a longer silence means that the connection is dead. */
const SILENCE_MS = 70_000;

/** One WebSocket that receives live events until it closes. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #onClose: (code?: number) => void;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #lastMessageAt = Date.now();
  #isClosed = false;

  /**
   * @param after id of the last event received
   * @param onClose called once, unless `end` closed the connection, with the WebSocket's code
   */
  constructor(after: number | undefined, onEvent: (event: LiveMessage) => void, onClose: (code?: number) => void) {
    this.#onClose = onClose;
    const address = new URL(`${app.apiPath}/live`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    if (after !== undefined) address.searchParams.set("after", String(after));
    this.#socket = new WebSocket(address);
    this.#socket.addEventListener("open", () => {
      if (!this.#isClosed) this.#pinger = setInterval(() => this.#ping(), PING_MS);
    });
    this.#socket.addEventListener("message", ({ data }) => {
      this.#lastMessageAt = Date.now();
      const event = typeof data !== "string" || data === LIVE_PONG ? undefined : parseEvent(data);
      if (event !== undefined && !this.#isClosed) onEvent(event);
    });
    this.#socket.addEventListener("close", ({ code }) => this.#close(code));
  }

  end(): void {
    this.#isClosed = true;
    clearInterval(this.#pinger);
    this.#socket.close();
  }

  #ping(): void {
    if (Date.now() - this.#lastMessageAt < SILENCE_MS) {
      this.#socket.send(LIVE_PING);
      return;
    }
    // The close handshake of a dead connection can take arbitrarily long.
    this.#close();
    this.#socket.close();
  }

  #close(code?: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#pinger);
    this.#onClose(code);
  }
}

function parseEvent(text: string): LiveMessage | undefined {
  try {
    return liveMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
