import { LIVE_PING, LIVE_PONG, type LiveMessage, liveMessage } from "#workers/contracts/live-messages.ts";

const PING_MS = 30_000;
/** Each ping is answered: after so long without a word nobody is there, whatever the network says of it. In milliseconds. */
const SILENCE_MS = 70_000;

/** One WebSocket that tells news, until it is over. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #onOver: (code?: number) => void;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #heard = Date.now();
  #isOver = false;

  /**
   * @param after id of the news that was heard last
   * @param onOver called once, unless it was ended; the code is the WebSocket's
   */
  constructor(after: number | undefined, onNews: (news: LiveMessage) => void, onOver: (code?: number) => void) {
    this.#onOver = onOver;
    const address = new URL("/live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    if (after !== undefined) address.searchParams.set("after", String(after));
    this.#socket = new WebSocket(address);
    this.#socket.addEventListener("open", () => {
      if (!this.#isOver) this.#pinger = setInterval(() => this.#ping(), PING_MS);
    });
    this.#socket.addEventListener("message", ({ data }) => {
      this.#heard = Date.now();
      const news = typeof data !== "string" || data === LIVE_PONG ? undefined : parsed(data);
      if (news !== undefined && !this.#isOver) onNews(news);
    });
    this.#socket.addEventListener("close", ({ code }) => this.#over(code));
  }

  end(): void {
    this.#isOver = true;
    clearInterval(this.#pinger);
    this.#socket.close();
  }

  #ping(): void {
    if (Date.now() - this.#heard < SILENCE_MS) {
      this.#socket.send(LIVE_PING);
      return;
    }
    // The close of a connection that nobody answers takes as long as the network likes.
    this.#over();
    this.#socket.close();
  }

  #over(code?: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#pinger);
    this.#onOver(code);
  }
}

function parsed(text: string): LiveMessage | undefined {
  try {
    return liveMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
