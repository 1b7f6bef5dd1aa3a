/** How long the gateway counts as ready after a check, in milliseconds. The sandbox rejects traffic if a later check finds otherwise. */
const READY_MS = 5_000;

/** Remembers that the gateway was ready. */
export class ReadyMark {
  #until = 0;

  get isSet(): boolean {
    return Date.now() < this.#until;
  }

  set(): void {
    this.#until = Date.now() + READY_MS;
  }

  clear(): void {
    this.#until = 0;
  }
}
