import * as z from "zod";
import type { LiveMessage } from "#workers/contracts/live-messages.ts";

/** State of a listener, stored with its WebSocket also while the object hibernates. */
const remembered = z.object({
  email: z.string(),
  // Listeners that an earlier version accepted have none of these.
  slug: z.string().nullable().default(null),
  serviceToken: z.string().nullable().default(null),
  isViewer: z.boolean().default(false),
  /** ID of the caller's row: a recreated user with the same address is another user. */
  callerId: z.uuid(),
  /** ID of the last sent event; null: start with new events. */
  after: z.int().nonnegative().nullable(),
  /** Whether all missed events were sent. */
  ready: z.boolean(),
  /** Milliseconds since the epoch. */
  since: z.number(),
});
export type Remembered = z.infer<typeof remembered>;

export class Listener {
  readonly #socket: WebSocket;
  readonly #state: Remembered;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#state = remembered.parse(socket.deserializeAttachment());
  }

  get state(): Readonly<Remembered> {
    return this.#state;
  }

  /** Sends events and stores the ID of the last one. */
  send(messages: readonly LiveMessage[]): void {
    for (const message of messages) {
      // The client may have disconnected.
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    }
    const last = messages.at(-1);
    if (last !== undefined) this.#remember({ after: last.id });
  }

  sendReady(message: LiveMessage): void {
    this.send([message]);
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

export function remember(socket: WebSocket, state: Remembered): void {
  socket.serializeAttachment(state);
}
