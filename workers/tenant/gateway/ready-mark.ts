/**
 * How long a gateway seen ready is taken to be ready before it is looked at again, in milliseconds. Whoever sees otherwise meanwhile
 * has the sandbox turn traffic away.
 */
const READY_MS = 5_000;

/** Whether the gateway was seen ready lately. */
export class ReadyMark {
  #until = 0;

  get stands(): boolean {
    return Date.now() < this.#until;
  }

  /** The gateway was seen ready just now. */
  set(): void {
    this.#until = Date.now() + READY_MS;
  }

  /** Asks again before the next request whether the gateway is ready. */
  forget(): void {
    this.#until = 0;
  }
}
