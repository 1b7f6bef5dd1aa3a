import { Socket, type SocketConstructorOpts } from "node:net";
import { createSockets, type Handle } from "./namespace.ts";

/** Sockets that one process creates: at first, and at most. */
const FIRST_AMOUNT = 64;
const MAX_AMOUNT = 512;

/** Connects from a network namespace, which this process does not enter. */
export class NamespaceSockets {
  readonly #enter: readonly string[];
  readonly #sockets: Handle[];
  #amount = FIRST_AMOUNT;
  #filling: Promise<void> | undefined;
  #isClosed = false;

  /** @param enter command line that runs a program in the namespace @param sockets in it, to use first */
  constructor(enter: readonly string[], sockets: readonly Handle[] = []) {
    this.#enter = enter;
    this.#sockets = [...sockets];
  }

  /** Connects to a port of an address in the namespace. The result connects, or ends with an error. */
  async connect(port: number, host = "127.0.0.1"): Promise<Socket> {
    while (this.#sockets.length === 0 && !this.#isClosed) await this.#fill();
    const handle = this.#sockets.pop();
    if (handle === undefined) throw new Error("the container has ended");
    if (this.#sockets.length < this.#amount / 4) this.#fill().catch(() => {});
    // Node.js has no type for such a handle. It must not read before it is connected.
    const options: unknown = { handle, manualStart: true, allowHalfOpen: true, noDelay: true };
    return new Socket(options as SocketConstructorOpts).connect({ port, host });
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets.splice(0)) socket.close();
  }

  /** Creates more sockets each time, so that a busy container needs fewer processes. */
  #fill(): Promise<void> {
    if (this.#filling !== undefined) return this.#filling;
    this.#amount = Math.min(2 * this.#amount, MAX_AMOUNT);
    const filling = createSockets(this.#enter, this.#amount).then((created) => {
      this.#sockets.push(...created);
      if (this.#isClosed) this.close();
    });
    this.#filling = filling.finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }
}
