/** Long-lived connections to a tenant's gateway: WebSockets, and responses without a length. */
export class OpenConnections {
  readonly #open = new Set<() => void>();

  /** Adds a connection. @param close closes it @returns removes it; call when it has ended */
  add(close: () => void): () => void {
    this.#open.add(close);
    return () => this.#open.delete(close);
  }

  /** Closes all connections. */
  cut(): void {
    for (const close of this.#open) close();
    this.#open.clear();
  }
}
