/** An open dashboard: what is remembered with its WebSocket, also while the object sleeps. */
import * as z from "zod";
import type { LiveMessage } from "#workers/contracts/live-messages.ts";

/** Where the news of a listener begin: after an id, or, with null, now. */
const remembered = z.object({
  email: z.string(),
  /** Of the caller's row: who is made anew under the same address is another. */
  callerId: z.uuid(),
  after: z.int().nonnegative().nullable(),
  /** Whether all that was missed is told. */
  ready: z.boolean(),
  /** Milliseconds since the epoch. */
  since: z.number(),
});
export type Remembered = z.infer<typeof remembered>;

export class Listener {
  readonly #socket: WebSocket;
  readonly #state: Remembered;

  /** @throws ZodError for a WebSocket that is none of ours */
  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#state = remembered.parse(socket.deserializeAttachment());
  }

  get state(): Readonly<Remembered> {
    return this.#state;
  }

  /** Tells what comes next, and remembers that it did. */
  tell(messages: readonly LiveMessage[]): void {
    for (const message of messages) {
      // The other side may have gone: its close is under way.
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    }
    const last = messages.at(-1);
    if (last !== undefined) this.#remember({ after: last.id });
  }

  /** From now on all is live. */
  tellReady(message: LiveMessage): void {
    this.tell([message]);
    this.#remember({ ready: true });
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #remember(change: Partial<Remembered>): void {
    Object.assign(this.#state, change);
    remember(this.#socket, this.#state);
  }
}

/** Keeps what is known of a WebSocket with it. */
export function remember(socket: WebSocket, state: Remembered): void {
  socket.serializeAttachment(state);
}
